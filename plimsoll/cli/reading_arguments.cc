#include "plimsoll/cli/reading_arguments.h"

#include "plimsoll/cli/parse.h"

namespace plimsoll::cli {

void add_reading(CLI::App& app, ReadingArguments& arguments) {
  app.add_option("--on-bad-record", arguments.on_bad,
                 "fail at the first record that cannot be used (default), skip such records and "
                 "list them in RUN/quarantine.jsonl, or repair NaN and infinity in tables")
      ->option_text("fail|skip|repair")
      ->check(CLI::IsMember({"fail", "skip", "repair"}));
  app.add_option("--max-bad", arguments.max_bad,
                 "the share of records that may be skipped before the run ends (default: 0.01)")
      ->option_text("F")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--repair-with", arguments.repair_with,
                 "the mean (default) or the median of the column in the training data")
      ->option_text("mean|median")
      ->check(CLI::IsMember({"mean", "median"}));
  app.add_flag("--allow-nan", arguments.allow_nan, "NaN and infinity in the data are no mistake");
  app.add_option("--workers", arguments.workers,
                 "threads that read data ahead; 0: none (default: one a core where it helps)")
      ->option_text("N")
      ->check(CLI::Range(0, 256));
}

ReadingOptions reading_options(const ReadingArguments& arguments) {
  ReadingOptions options{.workers = arguments.workers};
  options.bad.then = arguments.on_bad == "skip" ? OnBadRecord::skip : OnBadRecord::fail;
  options.bad.most = arguments.max_bad;
  if (arguments.is_repair()) options.repair = repair_with(arguments.repair_with);
  options.allow_not_finite = arguments.allow_nan;
  return options;
}

}  // namespace plimsoll::cli
