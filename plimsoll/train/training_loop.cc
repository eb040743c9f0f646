#include "plimsoll/train/training_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "plimsoll/base/process_memory.h"
#include "plimsoll/train/loop.h"

namespace plimsoll {
namespace {

bool validates_after(const ValidationFrequency& frequency, int64_t epoch) {
  if (frequency.epochs.empty()) return (epoch + 1) % frequency.every == 0;
  return std::ranges::find(frequency.epochs, epoch + 1) != frequency.epochs.end();
}

}  // namespace

TrainingLoop::TrainingLoop(Model& model, ModelSteps& steps, const FitOptions& options,
                           const Callbacks& callbacks, BucketPasses& train, Evaluation* validation)
    : steps_(steps),
      options_(options),
      callbacks_(callbacks),
      train_(train),
      validation_(validation),
      state_(model),
      test_state_(model) {}

History TrainingLoop::run(const MemoryPlan& memory) {
  history_.memory = memory;
  state_.plan = test_state_.plan = &history_.memory;
  state_.epochs = test_state_.epochs = options_.epochs;
  state_.stop_training = false;
  for (Loader* loader : train_.loaders())
    report_bad_records(loader->bad_records(), callbacks_, state_);
  tell(&Callback::on_train_begin);
  EpochBatches batches(options_.steps_per_epoch, options_.initial_epoch);
  for (int64_t epoch = options_.initial_epoch; epoch < options_.epochs; ++epoch) {
    run_epoch(epoch, batches);
    if (state_.stop_training) break;
  }
  steps_.optimizer()->finalize_variable_values();
  tell(&Callback::on_train_end);
  history_.measured_step_seconds = state_.step_seconds;
  if (step_time_.total() > 0)
    history_.data_wait_share = train_.waited_seconds() / step_time_.total();
  history_.measured_peak_bytes = process_memory().peak_resident_bytes;
  return std::move(history_);
}

// Outside of batches, when a progress line is complete.
void TrainingLoop::tell(Hook hook) {
  notify(callbacks_, hook, state_);
  state_.print_said();
}

void TrainingLoop::run_epoch(int64_t epoch, EpochBatches& batches) {
  const EpochBatches::Range range = batches.next(train_.batch_count());
  if (range.begin == 0) train_.start_epoch(range.pass);
  steps_.objective().reset();
  state_.epoch = test_state_.epoch = epoch;
  begin_loop(state_, train_.source(), range.count());
  is_finite_ = true;
  if (range.count() < options_.steps_per_epoch.value_or(0)) warn_of_end(range);
  tell(&Callback::on_epoch_begin);
  const Stopwatch watch;
  for (int64_t i = range.begin; i < range.end && !state_.stop_training; ++i) {
    state_.batch = i - range.begin;
    const int64_t records = train_.begin_batch();
    if (records == 0) {
      batches.end_pass(range);
      break;
    }
    notify(callbacks_, &Callback::on_train_batch_begin, state_);
    const Stopwatch step_watch;
    run_batch();
    step_time_.add(step_watch.seconds());
    state_.step_seconds = step_time_.mean();
    end_batch(state_, records, watch.seconds());
    notify(callbacks_, &Callback::on_train_batch_end, state_);
  }
  finish_epoch(epoch);
}

// Warns only once, for it will happen again in later epochs.
void TrainingLoop::warn_of_end(const EpochBatches::Range& range) {
  if (!std::exchange(has_warned_, true))
    state_.warn(
        fmt::format("fit: the data ends after {} of {} steps of an epoch; the next one begins with "
                    "its first record",
                    range.count(), *options_.steps_per_epoch));
}

void TrainingLoop::run_batch() {
  state_.expect_logs(steps_.objective());
  try {
    train_.run_batch();
  } catch (const NotFinite& error) {
    bool is_handled = false;
    for (const AnyCallback& callback : callbacks_)
      is_handled |= callback->on_not_finite(state_, error);
    if (!is_handled) throw;
    is_finite_ = false;
    state_.stop_training = true;
    state_.logs()["loss"] = std::numeric_limits<double>::quiet_NaN();
  }
}

void TrainingLoop::finish_epoch(int64_t epoch) {
  Logs logs;
  read_logs(steps_.objective(), logs);
  if (!is_finite_) logs["loss"] = std::numeric_limits<double>::quiet_NaN();
  if (validation_ != nullptr && validates_after(options_.validation_freq, epoch)) {
    validation_->run(callbacks_, test_state_);
    for (const auto& [name, value] : test_state_.logs()) logs["val_" + name] = value;
  }
  state_.set_logs(std::move(logs));
  tell(&Callback::on_epoch_end);
  history_.epoch.push_back(epoch);
  for (const auto& [name, value] : state_.logs()) history_.epochs[name].push_back(value);
}

}  // namespace plimsoll
