#include "plimsoll/train/checkpoints/run_wishes.h"

#include <fmt/format.h>

#include <string>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

std::optional<double> most_seconds_of(const std::string& time) {
  if (time.empty()) return std::nullopt;
  const std::optional<double> seconds = parse_duration(time);
  if (!seconds)
    throw InvalidArgument(
        fmt::format("fit: max_time must be a time such as 90s, 30m or 11h, found '{}'", time));
  return seconds;
}

}  // namespace

RunWishes::RunWishes(const FitOptions& options)
    : program_wish_(options.checkpoints.wish), most_seconds_(most_seconds_of(options.max_time)) {
  if (options.checkpoints.takes_signals) signals_.emplace(StopSignals::Take::unhandled);
}

bool RunWishes::takes_signals() const {
  return signals_ && StopSignals::is_noted(SIGTERM) && StopSignals::is_noted(SIGUSR1);
}

bool RunWishes::is_time_over() const {
  return most_seconds_ &&
         std::chrono::duration<double>(Clock::now() - begin_).count() >= *most_seconds_;
}

CheckpointWish RunWishes::next(bool may_end_in_time) const {
  const CheckpointWish asked = program_wish_ ? program_wish_() : CheckpointWish::none;
  if (is_signalled() || (may_end_in_time && is_time_over())) return CheckpointWish::save_and_stop;
  if (asked == CheckpointWish::none && signals_ && StopSignals::take_checkpoint_wish())
    return CheckpointWish::save;
  return asked;
}

void RunWishes::stop() const {
  if (is_signalled()) StopSignals::check();
  if (is_time_over()) throw OutOfTime();
  throw Interrupted("fit: stopped, as it was asked to");
}

void RunWishes::end() const {
  if (signals_ && signals_->takes_any()) StopSignals::check();
}

}  // namespace plimsoll
