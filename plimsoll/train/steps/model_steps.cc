#include "plimsoll/train/steps/model_steps.h"

#include <fmt/format.h>

#include <malloc.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/engine/memory/spill_file.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/signature.h"
#include "plimsoll/nn/layers/activity_penalties.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/nn/shapes_only.h"
#include "plimsoll/ops/recurrent/sequence_cut.h"
#include "plimsoll/ops/update/update.h"

namespace plimsoll {
namespace {

constexpr size_t kMaxSteps = 16;  // a run needs a few; shapes that never come back are dropped

Tensors placeholders(const Specs& fields, int64_t batch) {
  Tensors tensors;
  for (const Spec& field : fields)
    tensors.push_back(placeholder({field.dtype, field.shape.with(0, batch)}));
  return tensors;
}

Tensors chosen(const Tensors& all, const std::vector<int>& indices) {
  Tensors some;
  for (const int i : indices) some.push_back(i < 0 ? Tensor() : all[static_cast<size_t>(i)]);
  return some;
}

// A Sequential that has seen no input yet has one input and one output.
std::vector<std::string> names_of(const Ports& ports, const std::string& unknown) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.name);
  if (names.empty()) names.push_back(unknown);
  return names;
}

std::vector<std::string> output_names(const Network& network) {
  const auto children = network.children();
  if (!network.inputs().empty() || children.empty())
    return names_of(network.outputs(), network.name());
  return {children.back().layer->name()};
}

}  // namespace

ModelSteps::ModelSteps(std::shared_ptr<Network> network, CompileOptions options)
    : network_(std::move(network)), options_(std::move(options)) {}

const Objective& ModelSteps::objective() {
  if (!objective_) objective_.emplace(network_->name(), output_names(*network_), options_);
  return *objective_;
}

ModelSides ModelSteps::sides() const {
  return {.owner = network_->name(),
          .inputs = names_of(network_->inputs(), network_->name() + "_input"),
          .outputs = {},
          .needs_target = {}};
}

RecordFields ModelSteps::fields_of(const Specs& fields, const FieldMeaning& meaning) {
  ModelSides both = sides();
  both.outputs = objective().outputs();
  both.needs_target = objective().needs_target();
  return {fields, roles_of(fields, meaning, both)};
}

RecordFields ModelSteps::input_fields_of(const Specs& fields, const FieldMeaning& meaning) const {
  return {fields, input_roles(fields, meaning, sides())};
}

std::vector<NumberRange> ModelSteps::number_ranges_of(const RecordFields& fields) {
  if (network_->inputs().empty()) {
    const ShapesOnly only;
    (*network_)(chosen(placeholders(fields.specs, kStandIn), fields.roles.inputs), {});
  }
  const bool has_targets = !fields.roles.targets.empty();
  return number_ranges(*network_, has_targets ? objective().losses() : std::vector<Loss>(),
                       fields.specs, fields.roles);
}

std::vector<std::string> ModelSteps::field_names_of(const RecordFields& fields) const {
  return field_names(fields.specs.size(), fields.roles, sides());
}

std::string ModelSteps::key_of(StepKind kind, const RecordFields& fields, int64_t batch) const {
  Signature key;
  // A step uses the arena and the clock of the context that compiled it.
  key.add(kind).add(batch).add(thread_count()).add(Context::current().id());
  for (const Spec& field : fields.specs) key.add(field);
  for (const auto* roles : {&fields.roles.inputs, &fields.roles.targets, &fields.roles.weights}) {
    key.add(roles->size());
    for (const int role : *roles) key.add(role);
  }
  // A layer may be frozen between two calls of fit.
  for (const Variable& weight : network_->trainable_variables()) key.add(weight.state()->id);
  return key.take();
}

void ModelSteps::use(const Saving& saving) {
  if (saving == saving_) return;
  saving_ = saving;
  steps_.clear();
  sums_ = {};
  malloc_trim(0);  // what they took is not what the process holds
}

BatchStep ModelSteps::compile(StepKind kind, const RecordFields& fields, int64_t batch,
                              const Saving& saving) {
  use(saving);
  const auto found = steps_.find(key_of(kind, fields, batch));
  if (found != steps_.end()) return found->second;
  if (steps_.size() >= kMaxSteps) steps_.clear();
  const BatchStep step = compile_new(kind, fields, batch);
  // Tracing may have built the network: only now its weights are known.
  return steps_.insert_or_assign(key_of(kind, fields, batch), step).first->second;
}

BatchStep ModelSteps::compile_new(StepKind kind, const RecordFields& fields, int64_t batch) {
  cuts_sequences_ = false;
  const PartSizes sizes(batch, kind == StepKind::predict ? 0 : saving_.part_size);
  BatchStep step{sizes, {}};
  if (sizes.count > 1)
    step = compile_in_parts(kind, fields, sizes);
  else
    step.parts.large = compile_recorded([&] { return record(kind, fields, batch); });
  step.cuts_sequences = cuts_sequences_;
  return step;
}

StepOptions ModelSteps::step_options() const {
  return {.arena_budget = saving_.arena_budget,
          .smallest = saving_.smallest,
          .quick = saving_.quick,
          .keep_signs = saving_.smallest || saving_.arena_budget,
          .early_updates = saving_.early_updates,
          .recompute = saving_.recompute,
          .spill_folder = saving_.spill ? spill_folder() : ""};
}

StepPtr ModelSteps::compile_recorded(const std::function<StepGraph()>& record,
                                     const StepOptions& options) const {
  // What a program recorded before belongs to another step.
  if (Context::current().has_assignments()) ::plimsoll::evaluate({});
  try {
    return std::make_shared<CompiledStep>(record(), options);
  } catch (...) {
    take_step({}, {});  // assignments of a step that will never be are dropped
    throw;
  }
}

ModelSteps::Forward ModelSteps::forward(StepKind kind, const RecordFields& fields,
                                        int64_t samples) {
  const Tensors all = placeholders(fields.specs, samples);
  const ActivityPenalties activity;
  const SequenceCut cut(kind == StepKind::train ? saving_.sequence_parts : 1);
  const Tensors predictions =
      (*network_)(chosen(all, fields.roles.inputs), {.training = kind == StepKind::train});
  if (kind == StepKind::train) cuts_sequences_ |= cut.was_used();
  return {all,
          {.targets = chosen(all, fields.roles.targets),
           .predictions = predictions,
           .weights = chosen(all, fields.roles.weights),
           .penalties = activity.penalties(),
           .size = samples}};
}

StepGraph ModelSteps::record(StepKind kind, const RecordFields& fields, int64_t batch) {
  Forward whole = forward(kind, fields, batch);
  if (kind == StepKind::predict) return take_step(whole.inputs, whole.batch.predictions);
  const Tensors of_weights = network_->losses();
  Tensors& penalties = whole.batch.penalties;
  penalties.insert(penalties.begin(), of_weights.begin(), of_weights.end());
  const Tensor loss = objective().record(whole.batch);
  if (kind == StepKind::train) {
    const Variables weights = trained_weights();
    gate_commit(all_finite({loss}));
    apply_gradients(gradients_of(loss, weights), weights);
  }
  return take_step(whole.inputs, {});
}

Variables ModelSteps::trained_weights() const {
  Variables weights = network_->trainable_variables();
  if (weights.empty())
    throw InvalidArgument(network_->name() + ": has no trainable weight; unfreeze a layer");
  return weights;
}

Tensors ModelSteps::gradients_of(const Tensor& loss, const Variables& weights) const {
  Tensors sources;
  for (const Variable& weight : weights) sources.push_back(weight.value());
  return gradients(options_.optimizer->scale_loss(loss), sources);
}

void ModelSteps::apply_gradients(const Tensors& gradients, const Variables& weights) {
  take_own_optimizer(weights);
  options_.optimizer.apply_gradients(gradients, weights);
}

void ModelSteps::take_own_optimizer(const Variables& weights) {
  const Optimizer& given = options_.optimizer;
  if (!given->built()) return;
  const bool is_ours =
      std::ranges::any_of(weights, [&](const Variable& weight) { return given->knows(weight); });
  if (!is_ours) options_.optimizer = fresh_copy(given);
}

Dataset class_weighted(ModelSteps& steps, const Dataset& data, const ClassWeight& weights) {
  if (weights.empty()) return data;
  const std::vector<int> targets = steps.fields_of(data.source->fields(), data).roles.targets;
  if (targets.size() != 1)
    throw InvalidArgument(fmt::format(
        "class_weight: is for models with one output, this one has {}; use sample_weight",
        targets.size()));
  return with_class_weight(data, targets[0], weights);
}

}  // namespace plimsoll
