// The state of a TrainingLoop in checkpoints.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/trace.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/train/callbacks/observer_callback.h"
#include "plimsoll/train/callbacks/profiler.h"
#include "plimsoll/train/checkpoints/run_choices.h"
#include "plimsoll/train/checkpoints/saved_variables.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/replay.h"
#include "plimsoll/train/runs/fit_record.h"
#include "plimsoll/train/training_loop.h"

namespace plimsoll {
namespace {

constexpr int kKeptBadSteps = 3;  // the last ones

std::string callback_name(size_t number) {
  return fmt::format("callback-{}", number);
}

// Such a one may come or go when a run goes on.
bool may_come_or_go(const Callback* callback) {
  return dynamic_cast<const ObserverCallback*>(callback) != nullptr ||
         dynamic_cast<const Profiler*>(callback) != nullptr ||
         dynamic_cast<const FitRecorder*>(callback) != nullptr;
}

// Null where fit keeps no record of the run.
FitRecorder* recorder_among(const Callbacks& callbacks) {
  for (const AnyCallback& callback : callbacks)
    if (auto* recorder = dynamic_cast<FitRecorder*>(callback.operator->())) return recorder;
  return nullptr;
}

// Those that may have something to keep.
std::vector<Callback*> keepers(const Callbacks& callbacks) {
  std::vector<Callback*> found;
  for (const AnyCallback& callback : callbacks)
    if (!may_come_or_go(callback.operator->())) found.push_back(callback.operator->());
  return found;
}

void save_metrics(StateWriter to, const Variables& counted,
                  const std::vector<std::vector<std::byte>>& held) {
  to.number("count", std::ssize(counted));
  for (size_t i = 0; i < counted.size(); ++i)
    to.bytes(fmt::format("{}", i), counted[i].spec(), held[i]);
}

}  // namespace

void TrainingLoop::save_history(StateWriter& to) const {
  to.numbers("epochs", history_.epoch);
  std::vector<std::string> names;
  for (const auto& [name, values] : history_.epochs) names.push_back(name);
  to.texts("names", names);
  for (size_t i = 0; i < names.size(); ++i)
    to.reals(fmt::format("values-{}", i), history_.epochs.at(names[i]));
}

void TrainingLoop::load_history(const StateReader& from) {
  history_.epoch = from.numbers("epochs");
  const std::vector<std::string> names = from.texts("names");
  history_.epochs.clear();
  for (size_t i = 0; i < names.size(); ++i)
    history_.epochs[names[i]] = from.reals(fmt::format("values-{}", i));
}

void TrainingLoop::save_state(StateWriter& to) const {
  StateWriter identity = to.within("run"), loop = to.within("loop"), data = to.within("data"),
              pass = to.within("pass"), history = to.within("history"),
              variables = to.within("variables"), choices = to.within("choices"),
              clock = to.within("clock");
  save_identity(identity, kept_->identity);
  identity.text("id", kept_->checkpoints.run_id());
  save_choices(choices, state_.model, steps_.saving());
  loop.numbers("counters", std::array{state_.epoch, state_.batches, state_.batches_done,
                                      state_.samples, next_batch_, steps_done_});
  loop.numbers("range", std::array{range_.begin, range_.end, range_.pass});
  loop.numbers("flags", std::array<int64_t, 4>{is_finite_, has_warned_, is_epoch_done_,
                                               state_.stop_training});
  loop.real("seconds", state_.seconds);
  loop.numbers("skipped", skipped_);
  loop.number("rollbacks", rollbacks_);
  const BestCheckpoint best = best_with_this();
  loop.numbers("best_step", best.step ? std::vector{*best.step} : std::vector<int64_t>{});
  loop.real("best_loss", best.loss);
  loop.texts("left_out", left_out_);
  batches_.save_state(pass);
  train_.save_state(data);
  if (validation_ != nullptr)
    for (size_t i = 0; BatchReader * loader : validation_->passes().loaders()) {
      StateWriter bad = to.within(fmt::format("validation-{}", i++));
      loader->bad_records().save_state(bad);
    }
  if (sampler_) sampler_->save_state(loop);
  save_history(history);
  save_variables(variables, trained_state(state_.model, state_.model.optimizer()));
  save_clock(clock);
  StateWriter metrics = to.within("metrics");
  if (held_metrics_)
    save_metrics(metrics, steps_.objective().variables(), *held_metrics_);
  else
    save_variables(metrics, steps_.objective().variables());
  const std::vector<Callback*> callbacks = keepers(callbacks_);
  to.number("callbacks", std::ssize(callbacks));
  for (size_t i = 0; i < callbacks.size(); ++i) {
    StateWriter callback = to.within(callback_name(i));
    callbacks[i]->save_state(callback);
  }
  if (const FitRecorder* recorder = recorder_among(callbacks_)) {
    StateWriter record = to.within("record");
    recorder->save_state(record);
  }
}

void TrainingLoop::load_state(const StateReader& from) {
  const StateReader loop = from.within("loop");
  const std::vector<int64_t> counters = loop.numbers("counters"), range = loop.numbers("range"),
                             flags = loop.numbers("flags");
  if (counters.size() != 6 || range.size() != 3 || flags.size() != 4)
    throw CorruptFile(from.path() + ": it is not the state of a run of fit");
  const std::vector<Callback*> callbacks = keepers(callbacks_);
  if (from.number("callbacks") != std::ssize(callbacks))
    throw InvalidArgument(fmt::format("{}: the run had {} callbacks, and has {} now", from.path(),
                                      from.number("callbacks"), callbacks.size()));
  // Callbacks first: what they keep of the model may pass through it.
  for (size_t i = 0; i < callbacks.size(); ++i)
    callbacks[i]->load_state(from.within(callback_name(i)));
  if (FitRecorder* recorder = recorder_among(callbacks_); recorder && from.has("record/log"))
    recorder->load_state(from.within("record"));
  load_variables(from.within("variables"), trained_state(state_.model, state_.model.optimizer()));
  load_clock(from.within("clock"));
  load_variables(from.within("metrics"), steps_.objective().variables());
  begin_loop(state_, train_.fields(), counters[1]);
  state_.epoch = test_state_.epoch = counters[0];
  state_.batches_done = counters[2];
  state_.samples = counters[3];
  next_batch_ = counters[4];
  steps_done_ = counters[5];
  range_ = {range[0], range[1], range[2]};
  is_finite_ = flags[0] != 0;
  has_warned_ = flags[1] != 0;
  is_epoch_done_ = flags[2] != 0;
  state_.stop_training = flags[3] != 0;
  earlier_seconds_ = state_.seconds = loop.real("seconds");
  skipped_ = loop.numbers("skipped");
  rollbacks_ = loop.number("rollbacks");
  epoch_loss_.reset();
  const std::vector<int64_t> best = loop.numbers("best_step");
  best_ = {best.empty() ? std::nullopt : std::optional(best[0]), loop.real("best_loss")};
  left_out_ = loop.texts("left_out");
  batches_.load_state(from.within("pass"));
  train_.load_state(from.within("data"));
  if (validation_ != nullptr)
    for (size_t i = 0; BatchReader * loader : validation_->passes().loaders())
      loader->bad_records().load_state(from.within(fmt::format("validation-{}", i++)));
  if (sampler_) sampler_->load_state(loop);
  load_history(from.within("history"));
}

bool TrainingLoop::is_over(const StateReader& checkpoint, const FitOptions& options) {
  const StateReader loop = checkpoint.within("loop");
  const std::vector<int64_t> counters = loop.numbers("counters"), flags = loop.numbers("flags");
  if (counters.empty() || flags.size() != 4) return false;  // loading it says what is wrong
  const bool is_epoch_done = flags[2] != 0, is_stopped = flags[3] != 0;
  return is_epoch_done && (is_stopped || counters[0] + 1 >= options.epochs);
}

int64_t TrainingLoop::resume() {
  if (!state_.is_resumed) return options_.initial_epoch;
  load_state(StateReader(*kept_->checkpoints.found()));
  kept_->checkpoints.forget_found();
  goes_on_ = !is_epoch_done_;
  is_saved_ = true;
  return state_.epoch + (is_epoch_done_ ? 1 : 0);
}

BestCheckpoint TrainingLoop::best_with_this() const {
  if (!is_epoch_done_ || !epoch_loss_ || !std::isfinite(*epoch_loss_)) return best_;
  if (best_.step && *epoch_loss_ >= best_.loss) return best_;
  return {steps_done_, *epoch_loss_};
}

bool TrainingLoop::write_checkpoint() {
  const TraceSpan span("write a checkpoint");
  try {
    const BestCheckpoint best = best_with_this();
    CheckpointWriter counter;
    StateWriter counted(counter);
    save_state(counted);
    kept_->checkpoints.write(
        steps_done_, counter.bytes(), [this](StateWriter& to) { save_state(to); }, best.step);
    best_ = best;
    is_saved_ = true;
  } catch (const Error& error) {
    warn_of_lost_checkpoint(error);
    return false;
  }
  if (!said_causes_.empty()) state_.warn("fit: checkpoints can be written again");
  said_causes_.clear();
  return true;
}

// Numbers, of steps or of free bytes, do not make another cause.
void TrainingLoop::warn_of_lost_checkpoint(const Error& error) {
  std::string cause = error.what();
  std::erase_if(cause, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  if (!said_causes_.insert(std::move(cause)).second) return;
  state_.warn(fmt::format("fit: checkpoints cannot be written, the earlier ones are kept: {}",
                          error.what()));
}

void TrainingLoop::write_bad_step() {
  try {
    CheckpointFolder(bad_step_folder(options_.run))
        .write(steps_done_, kKeptBadSteps, [this](CheckpointWriter& file) {
          StateWriter to(file), variables = to.within("variables"), batch = to.within("batch");
          to.text("cause", to_string(*bad_batch_));
          save_first_bad(to.within("first"), bad_batch_->first);
          save_variables(variables, computed_from(state_.model));
          train_.save_bad_batch(batch, *bad_batch_);
        });
    state_.is_bad_batch_kept = true;
  } catch (const Error& error) {
    state_.warn(fmt::format("fit: the step could not be kept for a replay: {}", error.what()));
  }
}

void TrainingLoop::checkpoint_if_due() {
  const CheckpointWish wish = wishes_.next();
  if (kept_ != nullptr &&
      (wish != CheckpointWish::none || kept_->checkpoints.is_due(steps_done_, is_epoch_done_)))
    write_checkpoint();
  if (wish != CheckpointWish::save_and_stop) return;
  state_.print_said();
  wishes_.stop();
}

}  // namespace plimsoll
