#include "plimsoll/cli/checkpoint_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "plimsoll/base/duration.h"
#include "plimsoll/cli/duration.h"
#include "plimsoll/cli/parse.h"

namespace plimsoll::cli {
namespace {

using Clock = std::chrono::steady_clock;

// About when the process began.
const Clock::time_point kBegin = Clock::now();

}  // namespace

void add_limits(CLI::App& app, CheckpointArguments& arguments) {
  app.add_option("--max-time", arguments.max_time,
                 "end in good order after this time, for example 11h, with exit code 75; "
                 "'plimsoll resume RUN' goes on")
      ->option_text("TIME")
      ->check(duration());
  app.add_flag("--allow-changed", arguments.allow_changed,
               "go on with RUN although the data, the model or an option is not what it was");
}

void add_checkpoints(CLI::App& app, CheckpointArguments& arguments) {
  app.add_option("--checkpoint-every", arguments.every,
                 "write a checkpoint to RUN/checkpoints after this time (default: 60s); there is "
                 "also one at the end of an epoch, unless that would take more than 2% of the time")
      ->option_text("TIME")
      ->check(duration());
  app.add_option("--checkpoint-steps", arguments.every_steps,
                 "also write one each time that so many batches are done")
      ->option_text("N")
      ->check(count());
  app.add_option("--keep-checkpoints", arguments.keep, "how many of the last stay (default: 2)")
      ->option_text("N")
      ->check(count());
  app.add_flag("--no-checkpoints", arguments.none, "write none: a run that is killed begins again");
  add_limits(app, arguments);
}

std::string time_left(const CheckpointArguments& arguments) {
  const std::optional<double> limit = parse_duration(arguments.max_time);
  if (!limit) return "";
  const double gone = std::chrono::duration<double>(Clock::now() - kBegin).count();
  return fmt::format("{:.3f}s", std::max(0.0, *limit - gone));
}

CheckpointOptions checkpoint_options(const CheckpointArguments& arguments) {
  return {.every_seconds = *parse_duration(arguments.every),
          .every_steps = arguments.every_steps,
          .keep = arguments.none ? 0 : arguments.keep,
          .allow_changed = arguments.allow_changed,
          .takes_signals = true};
}

}  // namespace plimsoll::cli
