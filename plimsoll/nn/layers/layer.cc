#include "plimsoll/nn/layers/layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_set>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/layers/activity_penalties.h"
#include "plimsoll/nn/layers/kept_names.h"
#include "plimsoll/nn/layers/takes_single_images.h"
#include "plimsoll/nn/shapes_only.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

bool is_upper(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}
bool is_lower(char c) {
  return std::islower(static_cast<unsigned char>(c)) != 0;
}

struct NameCounts {
  std::map<std::string, int> counts;
};

std::map<std::string, int>& name_counts() {
  return Context::current().part<NameCounts>().counts;
}

// A config may ask for weights of any size. Small ones are not checked, because asking the system
// how much memory is free means reading a few files.
void refuse_too_large(const std::string& name, const Spec& spec) {
  constexpr int64_t kLarge = int64_t{64} << 20;
  if (spec.bytes() < kLarge) return;
  const int64_t available = memory_available();
  if (spec.bytes() > available)
    throw DoesNotFit(name + ": the weight " + spec.shape.to_string() + " takes " +
                     format_bytes(spec.bytes()) + ", the machine has " + format_bytes(available) +
                     " left");
}

// A layer before those inside it, each once.
void list_layers(const LayerBody& layer, std::vector<const LayerBody*>& found,
                 std::unordered_set<const LayerBody*>& seen) {
  if (!seen.insert(&layer).second) return;
  found.push_back(&layer);
  for (const auto& child : layer.children()) list_layers(*child.layer, found, seen);
}

}  // namespace

void LayerBody::build(const Specs&) {}

void LayerBody::build_whole(const Specs& inputs) {
  const size_t before = weights_.size();
  try {
    build(inputs);
  } catch (...) {
    weights_.resize(before);
    throw;
  }
  built_ = true;
}

void LayerBody::refuse(const std::string& what) const {
  const std::string& path = *Scope::current();
  throw InvalidArgument((path.empty() ? name_ : path) + ": " + what);
}

Tensors LayerBody::operator()(const Tensors& inputs, const CallOptions& options) {
  if (inputs.size() == 1 && inputs[0].rank() == 3 && dynamic_cast<const TakesSingleImages*>(this))
    return {squeeze((*this)({expand_dims(inputs[0], 0)}, options)[0], 0)};
  const Scope scope(name_);
  Specs specs;
  for (const Tensor& input : inputs) specs.push_back(input.spec());
  if (input_count() > 0 && static_cast<int>(inputs.size()) != input_count())
    refuse(fmt::format("expected {}{}, found {}", input_count(),
                       (input_count() == 1 ? " input" : " inputs"), inputs.size()));
  check(specs);
  if (!built_) build_whole(specs);
  CallContext context{options, options.training.value_or(false)};
  Tensor mask = options.mask;
  if (!mask.defined() && !inputs.empty()) mask = inputs[0].mask();
  // Keras passes a mask to a layer only if the inputs are all its tensors, not if there are initial
  // states too; it is the mask of the outputs all the same.
  if (options.initial_state.empty()) context.mask = mask;
  const Tensors outputs = call(inputs, context);
  if (activity_ && !ShapesOnly::is_open()) penalise(outputs);
  if (supports_masking()) pass_masks(inputs, outputs, mask);
  return outputs;
}

void LayerBody::penalise(const Tensors& outputs) const {
  for (const Tensor& output : outputs) {
    const int64_t batch = output.rank() > 0 ? output.shape()[0] : 1;
    ActivityPenalties::add(activity_(output) / static_cast<double>(std::max<int64_t>(batch, 1)));
  }
}

void LayerBody::pass_masks(const Tensors& inputs, const Tensors& outputs,
                           const Tensor& mask) const {
  Tensors masks;
  for (const Tensor& input : inputs) masks.push_back(masks.empty() ? mask : input.mask());
  const Tensors passed = output_masks(inputs, outputs, masks);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (passed[i].defined()) outputs[i].set_mask(passed[i]);
}

Tensors LayerBody::output_masks(const Tensors&, const Tensors& outputs,
                                const Tensors& masks) const {
  return Tensors(outputs.size(), masks.empty() ? Tensor() : masks[0]);
}

Variable LayerBody::add_weight(const WeightOptions& options) {
  const std::string& path = *Scope::current();
  const std::string name = path.empty() ? options.name : path + "/" + options.name;
  const Spec spec{options.dtype, options.shape};
  refuse_too_large(name, spec);
  Variable variable(name, spec, options.trainable && trainable_);
  // Counters, which are integers, begin at 0.
  if (spec.dtype == DType::float32)
    fill_initially(
        [variable, initializer = options.initializer, seed = random_seed(),
         drawn_as = options.drawn_as]() mutable { initializer.fill(variable, seed, drawn_as); });
  if (options.constraint) variable.state()->constraint = options.constraint;
  weights_.push_back({variable, options.regularizer, options.trainable});
  return variable;
}

void LayerBody::adopt_weight(const LayerBody& inside, const Variable& weight) {
  const auto found = std::ranges::find(inside.weights_, weight, &Weight::variable);
  weights_.push_back(*found);
}

void LayerBody::own_weight(const Variable& weight) {
  if (std::ranges::find(weights_, weight, &Weight::variable) == weights_.end())
    weights_.push_back({weight, {}, weight.trainable()});
}

std::vector<const LayerBody::Weight*> LayerBody::all_weights() const {
  std::vector<const LayerBody*> layers;
  std::unordered_set<const LayerBody*> seen;
  list_layers(*this, layers, seen);
  std::vector<const Weight*> found;
  std::unordered_set<const VariableState*> listed;  // an adopted weight counts once
  for (const LayerBody* layer : layers)
    for (const bool trainable : {true, false})
      for (const Weight& weight : layer->weights_)
        if (weight.trainable == trainable && listed.insert(weight.variable.state().get()).second)
          found.push_back(&weight);
  return found;
}

bool LayerBody::mixes_samples(bool is_training) const {
  return std::ranges::any_of(
      children(), [&](const Child& child) { return child.layer->mixes_samples(is_training); });
}

Variables LayerBody::weights() const {
  Variables variables;
  for (const Weight* weight : all_weights()) variables.push_back(weight->variable);
  return variables;
}

Variables LayerBody::own_weights() const {
  Variables variables;
  for (const bool trainable : {true, false})
    for (const Weight& weight : weights_)
      if (weight.trainable == trainable) variables.push_back(weight.variable);
  return variables;
}

Variables LayerBody::trainable_variables() const {
  Variables variables;
  for (const Weight* weight : all_weights())
    if (trainable_ && weight->variable.trainable()) variables.push_back(weight->variable);
  return variables;
}

Variables LayerBody::non_trainable_variables() const {
  Variables variables;
  for (const Weight* weight : all_weights())
    if (!trainable_ || !weight->variable.trainable()) variables.push_back(weight->variable);
  return variables;
}

// Each in the scope of its weight's layer, so that errors name it.
Tensors LayerBody::losses() const {
  Tensors penalties;
  for (const Weight* weight : all_weights()) {
    if (!weight->regularizer || !trainable_ || !weight->variable.trainable()) continue;
    const std::string name = weight->variable.name();
    const Scope scope(std::string_view(name).substr(0, name.rfind('/')));
    penalties.push_back(weight->regularizer(weight->variable.value()));
  }
  return penalties;
}

void LayerBody::set_own_trainable(bool trainable) {
  trainable_ = trainable;
  for (Weight& weight : weights_) weight.variable.set_trainable(trainable && weight.trainable);
}

void LayerBody::set_trainable(bool trainable) {
  set_own_trainable(trainable);
  for (const auto& child : children()) child.layer->set_trainable(trainable);
}

// A word begins at a capital that a small letter follows, or that follows a small letter.
std::string snake_case(std::string_view name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool begins_word = i + 1 < name.size() && is_lower(name[i + 1]);
    const bool ends_word = i > 0 && is_lower(name[i - 1]);
    if (i > 0 && is_upper(name[i]) && (begins_word || ends_word)) text += '_';
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return text;
}

KeptNames::KeptNames() : counts_(name_counts()) {}

KeptNames::~KeptNames() {
  name_counts() = std::move(counts_);
}

std::string unique_name(std::string_view class_name) {
  std::string name = snake_case(class_name);
  const int count = name_counts()[name]++;
  return count == 0 ? name : fmt::format("{}_{}", name, count);
}

void reset_names() {
  name_counts().clear();
}

}  // namespace plimsoll
