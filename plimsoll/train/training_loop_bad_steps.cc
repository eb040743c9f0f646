// What a run of fit does about steps whose loss or gradients are not finite.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/train/training_loop.h"

namespace plimsoll {
namespace {

constexpr int64_t kSkipWindow = 100;  // steps, in which there may be
constexpr size_t kMostSkipped = 2;    // that are skipped
constexpr int64_t kMostRollbacks = 8;

// The loop over epochs goes on from the checkpoint that was found.
struct RolledBack {};

}  // namespace

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
    return "the step cannot be skipped, because weights are updated early to fit the memory";
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
