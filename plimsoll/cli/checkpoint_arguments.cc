#include "plimsoll/cli/checkpoint_arguments.h"

#include "plimsoll/cli/duration.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/stop_signals.h"

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
                 "also one at the end of an epoch, unless that would take more than 3% of the time")
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

bool is_time_over(const CheckpointArguments& arguments) {
  const std::optional<double> limit = parse_duration(arguments.max_time);
  return limit && std::chrono::duration<double>(Clock::now() - kBegin).count() >= *limit;
}

CheckpointOptions checkpoint_options(const CheckpointArguments& arguments) {
  CheckpointOptions options{.every_seconds = *parse_duration(arguments.every),
                            .every_steps = arguments.every_steps,
                            .keep = arguments.keep,
                            .allow_changed = arguments.allow_changed};
  options.wish = [arguments] {
    if (StopSignals::received() != 0 || is_time_over(arguments))
      return CheckpointWish::save_and_stop;
    return StopSignals::take_checkpoint_wish() ? CheckpointWish::save : CheckpointWish::none;
  };
  return options;
}

}  // namespace plimsoll::cli
