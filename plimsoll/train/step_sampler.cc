#include "plimsoll/train/step_sampler.h"

#include <vector>

#include "plimsoll/formats/checkpoint/state.h"

namespace plimsoll {
namespace {

SampleCost prepare_for(StatisticsWatch& watch, const BatchStep& batch) {
  std::vector<StatisticsWatch::RunOfStep> runs;
  const auto add = [&](const StepPtr& step, int64_t times) {
    if (step != nullptr) runs.push_back({step.get(), times});
  };
  add(batch.parts.large, batch.sizes.large_count);
  add(batch.parts.small, batch.sizes.count - batch.sizes.large_count);
  add(batch.end, 1);
  return watch.prepare(runs);
}

// The longest bucket is the last.
SampleCost prepare(StatisticsWatch& watch, const std::vector<const BatchStep*>& batches) {
  SampleCost cost;
  for (const BatchStep* batch : batches) cost = prepare_for(watch, *batch);
  return cost;
}

}  // namespace

StepSampler::StepSampler(const Network& network, const Optimizer& optimizer,
                         const BucketPasses& train)
    : optimizer_(optimizer), watch_(network, optimizer), steps_(prepare(watch_, train.steps())) {}

// Without recording anything, unless a schedule has to be asked.
double StepSampler::learning_rate() const {
  const Variable& rate = optimizer_->learning_rate();
  return rate.defined() ? *reinterpret_cast<const float*>(rate.data())
                        : optimizer_->current_learning_rate();
}

StepWatch* StepSampler::begin(int64_t step) {
  if (!steps_.includes(step)) return nullptr;
  step_ = step;
  learning_rate_ = learning_rate();
  watch_.begin(SampledSteps::has_histograms(step));
  return &watch_;
}

void StepSampler::end(const Callbacks& callbacks, TrainingState& state) {
  StepStatistics& statistics = watch_.end();
  statistics.step = step_;
  statistics.epoch = state.epoch;
  statistics.loss = state.logs()["loss"];
  statistics.learning_rate = learning_rate_;
  for (const AnyCallback& callback : callbacks)
    if (callback->wants_statistics()) callback->on_statistics(state, statistics);
}

void StepSampler::save_state(StateWriter& to) const {
  to.numbers("sampled", steps_.numbers());
}

void StepSampler::load_state(const StateReader& from) {
  if (from.has("sampled")) steps_.set_numbers(from.numbers("sampled"));
}

}  // namespace plimsoll
