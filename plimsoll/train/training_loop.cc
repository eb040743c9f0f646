#include "plimsoll/train/training_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/train/loop.h"

namespace plimsoll {
namespace {

bool validates_after(const ValidationFrequency& frequency, int64_t epoch) {
  if (frequency.epochs.empty()) return (epoch + 1) % frequency.every == 0;
  return std::ranges::find(frequency.epochs, epoch + 1) != frequency.epochs.end();
}

StepWatch* watch_of(const Callbacks& callbacks, TrainingState& state) {
  for (const AnyCallback& callback : callbacks)
    if (StepWatch* const watch = callback->watch_batch(state)) return watch;
  return nullptr;
}

}  // namespace

TrainingLoop::TrainingLoop(Model& model, ModelSteps& steps, const FitOptions& options,
                           const RunWishes& wishes, const Callbacks& callbacks, BucketPasses& train,
                           Evaluation* validation, const Kept* kept)
    : steps_(steps),
      options_(options),
      wishes_(wishes),
      callbacks_(callbacks),
      train_(train),
      validation_(validation),
      state_(model),
      test_state_(model),
      kept_(kept),
      batches_(options.steps_per_epoch, options.initial_epoch) {
  // What keeps the record of a run itself says it itself.
  if (options.checkpoints.keeps_record || options.run.empty()) first_left_out_.emplace(options.run);
  if (wants_statistics(callbacks)) sampler_.emplace(model.network(), steps.optimizer(), train);
}

History TrainingLoop::run(const MemoryPlan& memory) {
  history_.memory = memory;
  state_.plan = test_state_.plan = &history_.memory;
  state_.epochs = test_state_.epochs = options_.epochs;
  state_.stop_training = false;
  state_.is_resumed = kept_ != nullptr && kept_->checkpoints.found().has_value();
  for (BatchReader* loader : train_.loaders())
    report_bad_records(loader->bad_records(), callbacks_, state_,
                       first_left_out_ ? &*first_left_out_ : nullptr);
  tell(&Callback::on_train_begin);
  int64_t epoch = resume();
  note_bad_weights();
  while (epoch < options_.epochs && !state_.stop_training) epoch = run_epoch_or_go_back(epoch);
  // A later run with more epochs goes on from here.
  if (kept_ != nullptr && !is_saved_ && steps_done_ > 0) write_checkpoint();
  steps_.optimizer()->finalize_variable_values();
  tell(&Callback::on_train_end);
  history_.measured_step_seconds = state_.step_seconds;
  if (step_time_.total() > 0)
    history_.data_wait_share = train_.waited_seconds() / step_time_.total();
  history_.measured_peak_bytes = process_memory().peak_resident_bytes;
  return std::move(history_);
}

void TrainingLoop::tell(Hook hook) {
  notify(callbacks_, hook, state_);
  state_.print_said();
}

// A stream may end where an epoch does, which shows only now.
std::optional<EpochBatches::Range> TrainingLoop::begin_range() {
  EpochBatches::Range range = batches_.next(train_.batch_count());
  if (range.begin > 0 && train_.is_stream() && !train_.has_next()) {
    batches_.end_pass(range);
    range = batches_.next(train_.batch_count());
  }
  if (range.begin == 0) {
    leave_out_records();
    train_.start_epoch(range.pass);
  }
  if (train_.is_stream() && !train_.has_next()) return std::nullopt;
  return range;
}

std::optional<int64_t> TrainingLoop::expected_batches(const EpochBatches::Range& range) const {
  if (!train_.is_stream()) return range.count();
  return options_.steps_per_epoch ? options_.steps_per_epoch : train_.expected_batches();
}

// A stream may not begin again, as an iterator does not.
void TrainingLoop::stop_without_data(int64_t epoch) {
  state_.warn(fmt::format("fit: the data has ended; training ends after {} of {} epochs", epoch,
                          options_.epochs));
  state_.stop_training = true;
}

void TrainingLoop::run_epoch(int64_t epoch) {
  if (std::exchange(goes_on_, false))
    tell(&Callback::on_resume);
  else if (!begin_epoch(epoch))
    return stop_without_data(epoch);
  const bool may_need_it = may_go_back(options_) || steps_.saving().early_updates;
  if (steps_done_ == 0 && !is_saved_ && kept_ != nullptr && may_need_it) write_checkpoint();
  run_batches();
  finish_epoch(epoch);
  checkpoint_if_due();
}

bool TrainingLoop::begin_epoch(int64_t epoch) {
  const std::optional<EpochBatches::Range> found = begin_range();
  if (!found) return false;
  range_ = *found;
  next_batch_ = range_.begin;
  earlier_seconds_ = 0;
  is_epoch_done_ = false;
  epoch_loss_.reset();
  is_finite_ = true;
  steps_.objective().reset();
  state_.epoch = test_state_.epoch = epoch;
  begin_loop(state_, train_.fields(), expected_batches(range_));
  if (range_.count() < options_.steps_per_epoch.value_or(0)) warn_of_end(range_.count());
  tell(&Callback::on_epoch_begin);
  return true;
}

void TrainingLoop::run_batches() {
  const Stopwatch watch;
  while (next_batch_ < range_.end && !state_.stop_training) {
    state_.batch = next_batch_ - range_.begin;
    const int64_t records = train_.begin_batch();
    if (records == 0) {
      if (next_batch_ == 0) refuse_if_all_are_bad("fit", train_.loaders());
      batches_.end_pass(range_);
      if (train_.is_stream()) end_stream();
      break;
    }
    notify(callbacks_, &Callback::on_train_batch_begin, state_);
    StepWatch* const sample = sampler_ ? sampler_->begin(steps_done_) : nullptr;
    watch_ = sample != nullptr ? sample : watch_of(callbacks_, state_);
    const Stopwatch step_watch;
    run_batch();
    step_time_.add(step_watch.seconds());
    state_.step_seconds = step_time_.mean();
    state_.wait_seconds = train_.waited_seconds();
    end_batch(state_, records, earlier_seconds_ + watch.seconds());
    ++next_batch_;
    ++steps_done_;
    is_saved_ = false;
    has_trained_ = true;
    if (sample != nullptr) sampler_->end(callbacks_, state_);
    notify(callbacks_, &Callback::on_train_batch_end, state_);
    state_.print_said();
    checkpoint_if_due();
  }
}

void TrainingLoop::end_stream() {
  state_.batches = state_.batches_done;
  if (options_.steps_per_epoch) warn_of_end(state_.batches_done);
}

// Warns only once, for it will happen again in later epochs.
void TrainingLoop::warn_of_end(int64_t batches) {
  if (!std::exchange(has_warned_, true))
    state_.warn(
        fmt::format("fit: the data ends after {} of {} steps of an epoch; the next one begins with "
                    "its first record",
                    batches, *options_.steps_per_epoch));
}

void TrainingLoop::run_batch() {
  state_.expect_logs(steps_.objective());
  try {
    train_.run_batch(watch_);
  } catch (const NotFinite& found) {
    NotFinite error = explained(found);
    if (gets_over(error)) return;
    bool is_handled = false;
    for (const AnyCallback& callback : callbacks_)
      is_handled |= callback->on_not_finite(state_, error);
    state_.bad_batch = nullptr;
    if (!is_handled && bad_batch_)
      throw NotFiniteStep(error.what(), bad_batch_->first, bad_batch_->records);
    if (!is_handled) throw error;
    is_finite_ = false;
    state_.stop_training = true;
    state_.logs()["loss"] = std::numeric_limits<double>::quiet_NaN();
  }
}

void TrainingLoop::finish_epoch(int64_t epoch) {
  Logs logs;
  read_logs(steps_.objective(), logs);
  if (!is_finite_) logs["loss"] = std::numeric_limits<double>::quiet_NaN();
  if (validation_ != nullptr && validates_after(options_.validation_freq, epoch)) validate(logs);
  const auto loss = logs.find(validation_ != nullptr ? "val_loss" : "loss");
  if (loss != logs.end()) epoch_loss_ = loss->second;
  state_.set_logs(std::move(logs));
  tell(&Callback::on_epoch_end);
  history_.epoch.push_back(epoch);
  for (const auto& [name, value] : state_.logs()) history_.epochs[name].push_back(value);
  is_epoch_done_ = true;
  is_saved_ = false;
}

// If it is stopped, the run goes on with the whole validation. A process that began with one is not
// stopped in it by its time: if no process had the time for it, the run would never end.
void TrainingLoop::validate(Logs& logs) {
  held_metrics_.emplace();
  for (const Variable& counted : steps_.objective().variables())
    held_metrics_->emplace_back(counted.data(), counted.data() + counted.spec().bytes());
  try {
    validation_->run(callbacks_, test_state_, [this] {
      const CheckpointWish wish = wishes_.next(has_trained_);
      if (wish == CheckpointWish::save_and_stop) wishes_.stop();
      if (wish == CheckpointWish::save && kept_ != nullptr) write_checkpoint();
    });
  } catch (const Error&) {
    if (kept_ != nullptr) write_checkpoint();
    state_.print_said();
    throw;
  }
  held_metrics_.reset();
  for (const auto& [name, value] : test_state_.logs()) logs["val_" + name] = value;
}

}  // namespace plimsoll
