#include "plimsoll/cli/reading_arguments.h"

#include "plimsoll/cli/parse.h"

namespace plimsoll::cli {

void add_reading(CLI::App& app, ReadingArguments& arguments) {
  app.add_option("--on-bad-record", arguments.on_bad,
                 "for a record that cannot be used: fail (default), skip it and list it in "
                 "RUN/quarantine.jsonl, or repair NaN and infinity in tables")
      ->option_text("fail|skip|repair")
      ->check(CLI::IsMember({"fail", "skip", "repair"}));
  app.add_option("--max-bad", arguments.max_bad,
                 "the largest share of records that may be skipped (default: 0.01)")
      ->option_text("F")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--repair-with", arguments.repair_with,
                 "repair with the mean (default) or the median of the column in the training data")
      ->option_text("mean|median")
      ->check(CLI::IsMember({"mean", "median"}));
  app.add_flag("--allow-nan", arguments.allow_nan, "accept NaN and infinity in the data");
  app.add_option("--workers", arguments.workers,
                 "threads that read data ahead; 0 for none (default: one per core if that helps)")
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
