// What a run of fit does about steps whose loss or gradients are not finite.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/train/checkpoints/saved_variables.h"
#include "plimsoll/train/memory/plan_layers.h"
#include "plimsoll/train/training_loop.h"

namespace plimsoll {
namespace {

constexpr int64_t kSkipWindow = 100;  // steps, in which there may be
constexpr size_t kMostSkipped = 2;    // that are skipped
constexpr int64_t kMostRollbacks = 8;

// The loop over epochs goes on from the checkpoint that was found.
struct RolledBack {};

}  // namespace

OnBadStep on_bad_step_of(std::string_view name) {
  if (name == "stop") return OnBadStep::stop;
  if (name == "skip") return OnBadStep::skip;
  if (name == "rollback") return OnBadStep::rollback;
  if (name == "repair") return OnBadStep::repair;
  throw InvalidArgument(fmt::format(
      "fit: on_bad_step must be 'stop', 'skip', 'rollback' or 'repair', found '{}'", name));
}

// With the operation that made the first number that is not finite, and its records. If some
// weights were changed before that showed, the batch is run on those of the last checkpoint.
NotFinite TrainingLoop::explained(const NotFinite& error) {
  bad_batch_.reset();
  state_.bad_batch = nullptr;
  state_.is_bad_batch_kept = false;
  std::string text = error.what();
  if (steps_.saving().early_updates) {
    text += "; weights are updated early to fit the memory";
    const std::optional<int64_t> step = put_back_weights();
    if (!step)
      return NotFinite(text +
                       ", so the step cannot be run again to find out where that began: there is "
                       "no checkpoint from before it");
    text += fmt::format(", so they are put back to the checkpoint of {} steps", *step);
    if (*step < steps_done_) text += ", and the batch is run on those";
  }
  bad_batch_ = train_.find_bad_batch();
  if (!bad_batch_)
    return NotFinite(text + (steps_.saving().early_updates ? "; there it is finite" : ""));
  FirstBad& first = bad_batch_->first;
  first.layer = without_root(first.layer, state_.model.network().name());
  blame_update(first);
  state_.bad_batch = &*bad_batch_;
  if (!options_.run.empty()) write_bad_step();
  text += "; it began with " + to_string(*bad_batch_);
  if (first.kind == FirstBad::Kind::update)
    text += fmt::format("; {} has the learning rate {:.4g}", steps_.optimizer()->class_name(),
                        state_.learning_rate());
  return NotFinite(text);
}

void TrainingLoop::note_bad_weights() {
  bad_weights_.clear();
  for (const Variable& weight : state_.model.network().trainable_variables())
    if (weight.spec().dtype == DType::float32 &&
        !finite_range(weight.spec(), weight.data()).is_finite())
      bad_weights_.insert(weight.name());
}

// The steps before this one were finite in loss and gradients, and each update was done: what has
// made a number of a weight infinite then is an update.
void TrainingLoop::blame_update(FirstBad& first) const {
  if (first.kind != FirstBad::Kind::weight || !has_trained_ || bad_weights_.contains(first.name))
    return;
  const Variables weights = state_.model.network().trainable_variables();
  if (std::ranges::find(weights, first.name, &Variable::name) == weights.end()) return;
  first.kind = FirstBad::Kind::update;
  first.op = "update";
}

// To those of the newest checkpoint of no more steps than this; returns how many it had.
std::optional<int64_t> TrainingLoop::put_back_weights() {
  if (kept_ == nullptr || !kept_->checkpoints.find_before(steps_done_ + 1)) return std::nullopt;
  const StateReader from(*kept_->checkpoints.found());
  const std::vector<int64_t> counters = from.within("loop").numbers("counters");
  load_variables(from.within("variables"), trained_state(state_.model, state_.model.optimizer()));
  kept_->checkpoints.forget_found();
  return counters.at(5);
}

bool TrainingLoop::gets_over(NotFinite& error) {
  const OnBadStep then = options_.on_bad_step;
  if (then == OnBadStep::stop) return false;
  const bool blames_records = bad_batch_ && !bad_batch_->records.empty();
  const bool skips = then == OnBadStep::skip || (then == OnBadStep::repair && blames_records);
  const std::string why_not = skips ? skip_step(error) : roll_back(error);
  if (why_not.empty()) return true;
  error = NotFinite(fmt::format("{}; {}", error.what(), why_not));
  return false;
}

// Not if weights were updated early: some of them have changed.
std::string TrainingLoop::skip_step(const NotFinite& error) {
  if (steps_.saving().early_updates)
    return "the step cannot be skipped, because weights are updated early to fit the memory: leave "
           "the records out of the data, give more memory, or choose to roll back";
  if (bad_batch_ && bad_batch_->first.kind == FirstBad::Kind::update)
    return "leaving the step out would not help, because the weight is not finite already: lower "
           "the learning rate, clip gradients, or choose to roll back";
  std::erase_if(skipped_, [&](int64_t step) { return step <= steps_done_ - kSkipWindow; });
  if (skipped_.size() == kMostSkipped)
    return fmt::format("the step is not skipped, because {} of the last {} were", kMostSkipped,
                       kSkipWindow);
  skipped_.push_back(steps_done_);
  report({.severity = Finding::Severity::warning,
          .where = "fit",
          .what = fmt::format("a step is skipped: {}", error.what())});
  if (!bad_batch_) return {};
  for (const std::string& name : bad_batch_->records) {
    for (const AnyCallback& callback : callbacks_)
      callback->on_bad_record(state_,
                              {name, "not_finite", to_string(bad_batch_->first), state_.epoch});
    left_out_.push_back(name);
  }
  return {};
}

// A checkpoint right before this step is not good: it leads here with any learning rate.
std::string TrainingLoop::roll_back(const NotFinite& error) {
  if (!steps_.optimizer()->learning_rate().defined())
    return "the run cannot go back with half the learning rate, because a schedule decides it";
  if (rollbacks_ >= kMostRollbacks)
    return fmt::format("the run does not go back, because it did so {} times", rollbacks_);
  if (!kept_->checkpoints.find_before(steps_done_))
    return fmt::format("the run cannot go back: {} has no whole checkpoint of fewer than {} steps",
                       kept_->checkpoints.path(), steps_done_);
  report({.severity = Finding::Severity::warning,
          .where = "fit",
          .what = fmt::format("the run goes back to {} with half the learning rate, {:.3g}: {}",
                              kept_->checkpoints.found()->path(), state_.learning_rate() / 2,
                              error.what())});
  throw RolledBack();
}

int64_t TrainingLoop::run_epoch_or_go_back(int64_t epoch) {
  try {
    run_epoch(epoch);
    return epoch + 1;
  } catch (const RolledBack&) {
    return go_back();
  }
}

// What the process knew before it went back is lost but for the learning rate and the count. The
// checkpoint gets both at once: a run that is killed now goes on from there, not from one that
// leads to the bad step again.
int64_t TrainingLoop::go_back() {
  const double lower = state_.learning_rate() / 2;
  const int64_t rollbacks = rollbacks_ + 1;
  state_.is_resumed = true;
  const int64_t next = resume();
  note_bad_weights();
  state_.set_learning_rate(lower);
  rollbacks_ = rollbacks;
  if (write_checkpoint()) forget_later_checkpoints();
  return next;
}

void TrainingLoop::forget_later_checkpoints() {
  try {
    kept_->checkpoints.forget_after(steps_done_);
  } catch (const Error& error) {
    state_.warn(
        fmt::format("fit: checkpoints of before the run went back remain: {}", error.what()));
  }
}

void TrainingLoop::leave_out_records() {
  for (BatchReader* loader : train_.loaders())
    for (const std::string& name : left_out_) loader->bad_records().leave_out(name);
  left_out_.clear();
}

}  // namespace plimsoll
