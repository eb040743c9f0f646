#include "plimsoll/train/model_steps.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/signature.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/movement.h"
#include "plimsoll/ops/update.h"

namespace plimsoll {
namespace {

constexpr size_t kMaxSteps = 16;  // a run needs a few; shapes that never come back are dropped

Tensors placeholders(std::span<const Specs::value_type> fields, int64_t batch) {
  Tensors tensors;
  for (const Spec& field : fields)
    tensors.push_back(placeholder({field.dtype, field.shape.with(0, batch)}));
  return tensors;
}

// The mean over samples: a batch counts as many times as it has samples.
void track(const Mean& tracker, const Tensor& loss, int64_t batch) {
  const float count = static_cast<float>(batch);
  tracker.update_state(reshape(loss, {1}), constant(std::span(&count, 1), {1}));
}

}  // namespace

ModelSteps::ModelSteps(std::shared_ptr<Network> network, CompileOptions options)
    : network_(std::move(network)),
      options_(std::move(options)),
      loss_tracker_(MeanOptions{.name = "loss"}) {}

ModelSteps::StepPtr ModelSteps::train(const Specs& fields, int64_t batch) {
  return find_or_compile(Phase::train, fields, batch);
}

ModelSteps::StepPtr ModelSteps::evaluate(const Specs& fields, int64_t batch) {
  return find_or_compile(Phase::evaluate, fields, batch);
}

ModelSteps::StepPtr ModelSteps::predict(const Specs& fields, int64_t batch) {
  return find_or_compile(Phase::predict, fields, batch);
}

ModelSteps::StepPtr ModelSteps::find_or_compile(Phase phase, const Specs& fields, int64_t batch) {
  Signature key;
  key.add(phase).add(batch).add(thread_count());
  for (const Spec& field : fields) key.add(field);
  if (const auto found = steps_.find(key.bytes()); found != steps_.end()) return found->second;
  if (steps_.size() >= kMaxSteps) steps_.clear();
  StepPtr step = std::make_shared<CompiledStep>(trace(phase, fields, batch));
  return steps_[key.bytes()] = std::move(step);
}

StepGraph ModelSteps::trace(Phase phase, const Specs& fields, int64_t batch) {
  // What a program recorded before belongs to another step.
  if (!pending_work().assigned.empty()) ::plimsoll::evaluate({});
  try {
    return record(phase, fields, batch);
  } catch (...) {
    take_step({}, {});  // assignments of a step that will never be are dropped
    throw;
  }
}

StepGraph ModelSteps::record(Phase phase, const Specs& fields, int64_t batch) {
  const Tensors all = placeholders(fields, batch);
  const size_t target_count = phase == Phase::predict ? 0 : options_.loss.size();
  if (all.size() < target_count + 1)
    throw InvalidArgument(network_->name() + ": expected inputs and " +
                          std::to_string(target_count) + " target(s), found " +
                          std::to_string(all.size()) + " tensor(s)");
  const auto split = all.end() - static_cast<ptrdiff_t>(target_count);
  const Tensors inputs(all.begin(), split), targets(split, all.end());
  const Tensors predictions = (*network_)(inputs, {.training = phase == Phase::train});
  if (phase == Phase::predict) return take_step(all, predictions);
  check_outputs(predictions.size());
  const Tensor loss = total_loss(targets, predictions, batch);
  if (phase == Phase::train) apply_gradients(loss);
  return take_step(all, {});
}

void ModelSteps::check_outputs(size_t count) const {
  if (options_.loss.size() != count)
    throw InvalidArgument(network_->name() + ": has " + std::to_string(count) +
                          " output(s), compiled with " + std::to_string(options_.loss.size()) +
                          " loss(es)");
  const auto fits = [&](size_t size) { return size == 0 || count == 1 || size == count; };
  if (!fits(options_.metrics.size()))
    throw InvalidArgument(network_->name() + ": with several outputs, metrics are one an output");
  if (options_.loss_weights.size() != 0 && options_.loss_weights.size() != count)
    throw InvalidArgument(network_->name() + ": loss_weights must be one an output");
}

Tensor ModelSteps::total_loss(const Tensors& targets, const Tensors& predictions, int64_t batch) {
  if (metric_names_.empty()) name_metrics();
  Tensor total;
  for (size_t i = 0; i < predictions.size(); ++i) {
    Tensor loss = options_.loss[i](targets[i], predictions[i]);
    if (!output_trackers_.empty()) track(output_trackers_[i], loss, batch);
    if (!options_.loss_weights.empty()) loss = loss * options_.loss_weights[i];
    total = total.defined() ? total + loss : loss;
  }
  for (const Tensor& loss : network_->losses()) total = total + loss;
  track(loss_tracker_, total, batch);
  for (size_t i = 0; i < options_.metrics.size(); ++i) {
    const size_t output = predictions.size() == 1 ? 0 : i;
    if (options_.metrics[i].defined())
      options_.metrics[i].update_state(targets[output], predictions[output]);
  }
  return total;
}

void ModelSteps::apply_gradients(const Tensor& loss) {
  const Variables weights = network_->trainable_variables();
  if (weights.empty())
    throw InvalidArgument(network_->name() + ": has no trainable weight; unfreeze a layer");
  Tensors sources;
  for (const Variable& weight : weights) sources.push_back(weight.value());
  gate_commit(all_finite({loss}));
  options_.optimizer.apply_gradients(gradients(loss, sources), weights);
}

void ModelSteps::name_metrics() {
  const auto report = [&](const std::string& name, const Metric& metric) {
    metric_names_.push_back(name);
    reported_.push_back(metric);
  };
  report("loss", loss_tracker_);
  const Ports outputs = network_->outputs();
  const bool several = options_.loss.size() > 1;
  for (size_t i = 0; several && i < options_.loss.size(); ++i) {
    output_trackers_.emplace_back(MeanOptions{.name = outputs[i].name + "_loss"});
    report(outputs[i].name + "_loss", output_trackers_.back());
  }
  for (size_t i = 0; i < options_.metrics.size(); ++i)
    if (options_.metrics[i].defined())
      report((several ? outputs[i].name + "_" : "") + options_.metrics[i].name(),
             options_.metrics[i]);
}

void ModelSteps::reset_metrics() {
  for (const Metric& metric : reported_) metric.reset_state();
}

void ModelSteps::read_metrics(std::span<double> into) const {
  for (size_t i = 0; i < reported_.size(); ++i) into[i] = reported_[i].result();
}

}  // namespace plimsoll
