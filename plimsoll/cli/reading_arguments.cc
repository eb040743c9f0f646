#include "plimsoll/cli/reading_arguments.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {

namespace {

void add_choice(CLI::App& app, ReadingArguments& arguments, const char* help) {
  app.add_option("--on-bad-record", arguments.on_bad, help)
      ->option_text("fail|skip|repair")
      ->check(CLI::IsMember({"fail", "skip", "repair"}));
  app.add_option("--max-bad", arguments.max_bad,
                 "the largest share of records that may be skipped (default: 0.01)")
      ->option_text("F")
      ->check(CLI::Range(0.0, 1.0));
}

void add_allow_nan(CLI::App& app, ReadingArguments& arguments) {
  app.add_flag("--allow-nan", arguments.allow_nan, "accept NaN and infinity in the data");
}

}  // namespace

void add_bad_records(CLI::App& app, ReadingArguments& arguments) {
  add_choice(app, arguments,
             "for a record that cannot be used: fail, skip it, or repair NaN and infinity in "
             "tables with what training has learnt (default: repair if the model was trained so, "
             "else fail)");
  add_allow_nan(app, arguments);
}

void add_reading(CLI::App& app, ReadingArguments& arguments) {
  add_choice(app, arguments,
             "for a record that cannot be used: fail (default), skip it and list it in "
             "RUN/quarantine.jsonl, or repair NaN and infinity in tables");
  app.add_option("--repair-with", arguments.repair_with,
                 "repair with the mean (default) or the median of the column in the training data")
      ->option_text("mean|median")
      ->check(CLI::IsMember({"mean", "median"}));
  add_allow_nan(app, arguments);
  app.add_option("--workers", arguments.workers,
                 "threads that read data ahead; 0 for none (default: one per core if that helps)")
      ->option_text("N")
      ->check(CLI::Range(0, 256));
}

ReadingOptions reading_options(const ReadingArguments& arguments) {
  ReadingOptions options{.workers = arguments.workers};
  options.bad.then = arguments.is_skip() ? OnBadRecord::skip : OnBadRecord::fail;
  options.bad.most = arguments.max_bad;
  if (arguments.is_repair()) options.repair = repair_with(arguments.repair_with);
  options.allow_not_finite = arguments.allow_nan;
  return options;
}

ReadingOptions reading_options(const ReadingArguments& arguments, const DataOptions& options) {
  ReadingOptions reading = reading_options(arguments);
  reading.repair = {};
  if (!arguments.on_bad.empty() && !arguments.is_repair()) return reading;
  bool has_values = false;
  if (options.schema)
    for (const TableSchema::Field& input : options.schema->inputs) {
      reading.repair_values.push_back(input.repair);
      has_values = has_values || !input.repair.empty();
    }
  if (!has_values) reading.repair_values.clear();
  if (arguments.is_repair() && !has_values)
    throw WrongUsage(
        "--on-bad-record repair: the model was not trained with it, so there is nothing to repair "
        "with; skip leaves bad records out");
  return reading;
}

void use(const ReadingArguments& arguments, DataOptions& options) {
  options.keeps_bad_records = arguments.is_skip();
  // A number that is missing in a table is then a matter of the repair.
  const bool has_values =
      options.schema && std::ranges::any_of(options.schema->inputs, [](const auto& input) {
        return !input.repair.empty();
      });
  const bool repairs = arguments.is_repair() || (arguments.on_bad.empty() && has_values);
  if ((repairs || arguments.allow_nan) && !options.missing) options.missing = std::nan("");
}

}  // namespace plimsoll::cli
