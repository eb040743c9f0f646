// What a run of fit does about steps whose loss or gradients are not finite.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/train/training_loop.h"

namespace plimsoll {
namespace {

constexpr int64_t kSkipWindow = 100;  // steps, in which there may be
constexpr size_t kMostSkipped = 2;    // that are skipped
constexpr int kMostRollbacks = 8;

// The loop over epochs goes on from the checkpoint that was found.
struct RolledBack {};

}  // namespace

bool TrainingLoop::gets_over(const NotFinite& error) {
  const bool blames_records = bad_batch_ && !bad_batch_->records.empty();
  switch (options_.on_bad_step) {
    case OnBadStep::stop:
      return false;
    case OnBadStep::skip:
      return skip_step(error);
    case OnBadStep::rollback:
      return roll_back(error);
    case OnBadStep::repair:
      return blames_records ? skip_step(error) : roll_back(error);
  }
  return false;
}

// Not if weights were updated early: some of them have changed.
bool TrainingLoop::skip_step(const NotFinite& error) {
  if (steps_.saving().early_updates) return false;
  std::erase_if(skipped_, [&](int64_t step) { return step <= steps_done_ - kSkipWindow; });
  if (skipped_.size() == kMostSkipped) return false;
  skipped_.push_back(steps_done_);
  report({.severity = Finding::Severity::warning,
          .where = "fit",
          .what = fmt::format("a step is skipped: {}", error.what())});
  if (!bad_batch_) return true;
  for (const std::string& name : bad_batch_->records) {
    for (const AnyCallback& callback : callbacks_)
      callback->on_bad_record(state_,
                              {name, "not_finite", to_string(bad_batch_->first), state_.epoch});
    left_out_.push_back(name);
  }
  return true;
}

// A checkpoint right before this step is not good: it leads here with any learning rate.
bool TrainingLoop::roll_back(const NotFinite& error) {
  if (rollbacks_ == kMostRollbacks || !kept_->checkpoints.find_before(steps_done_)) return false;
  ++rollbacks_;
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
    const double lower = state_.learning_rate() / 2;
    state_.is_resumed = true;
    const int64_t next = resume();
    state_.set_learning_rate(lower);
    is_saved_ = false;
    return next;
  }
}

void TrainingLoop::leave_out_records() {
  for (BatchReader* loader : train_.loaders())
    for (const std::string& name : left_out_) loader->bad_records().leave_out(name);
  left_out_.clear();
}

}  // namespace plimsoll
