// plimsoll check: reads all of the data and reports what training would fail on or be misled by.
#include <optional>

#include "plimsoll/base/stop_signals.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/cli/check_data.h"
#include "plimsoll/cli/check_report.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/cli/heap_guard.h"
#include "plimsoll/cli/model_arguments.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/data/check/check_duplicates.h"

namespace plimsoll::cli {
namespace {

struct CheckArguments {
  ModelArguments model;  // no path: none
  DataArguments data;
  std::string validation;
  int threads = 0;
  bool json = false;
};

constexpr const char* kCheckHelp =
    "Every record is read; nothing is trained. The exit code is 3 if training would fail on a "
    "record.\n\n"
    "Examples:\n\n"
    "  plimsoll check photos\n"
    "  plimsoll check photos --model model.keras --validation other-photos\n"
    "  plimsoll check houses.csv --target price --json\n"
    "  plimsoll check titanic.csv --target survived --encode auto\n";

bool read(Arguments arguments, CheckArguments& into) {
  CLI::App app("Reads all of the data and lists bad records and other problems.", "plimsoll check");
  add_data(app, into.data);
  app.add_option("--model", into.model.path,
                 "also check that labels, shapes and scale suit this model")
      ->option_text("MODEL");
  app.add_option("--validation", into.validation,
                 "data of the same kind for validation; it is checked too, and a record that is in "
                 "both is reported")
      ->option_text("DATA");
  app.add_option("--loss", into.model.loss, "the loss to check labels for (default: the model's)")
      ->option_text("NAME");
  add_data_options(app, into.data);
  add_encode(app, into.data);
  app.add_option("--threads", into.threads, "threads that read (default: one per core)")
      ->option_text("N")
      ->check(count());
  app.add_flag("--json", into.json, "print the findings as JSON");
  app.footer(kCheckHelp);
  return parse(app, arguments);
}

std::optional<Model> model_of(const ModelArguments& arguments, Findings& findings) {
  if (arguments.path.empty()) return std::nullopt;
  Model model = load(arguments, Weights::reserved, findings);
  if (!arguments.loss.empty() || model.compiled()) compile(model, arguments);
  return model;
}

RecordName name_in(const DataToCheck& data) {
  return [&data](int64_t record) { return data.records->name(record); };
}

CheckResult check_all(const CheckArguments& arguments, Findings& findings) {
  const std::optional<Model> loaded = model_of(arguments.model, findings);
  const Model* model = loaded ? &*loaded : nullptr;
  DataOptions options = model != nullptr
                            ? data_options_for(arguments.model.path, arguments.data, findings)
                            : data_options(arguments.data, findings);
  if (model == nullptr && !arguments.data.classes.empty())
    options.class_names = read_classes(arguments.data.classes);
  const DataToCheck data = open_to_check(arguments.data.path, model, options);
  CheckResult result{.path = arguments.data.path,
                     .data = check_data(data, arguments.data.path, model)};
  result.encoding = data.encoding;
  result.targets = options.target;
  if (options.target.empty() && options.schema)
    for (const TableSchema::Field& target : options.schema->targets)
      result.targets.insert(result.targets.end(), target.columns.begin(), target.columns.end());
  if (arguments.validation.empty()) return result;
  const std::string& other = arguments.validation;
  // The numbers of the classes are those of the training data.
  const auto names = data.records->class_names();
  if (options.class_names.empty()) options.class_names.assign(names.begin(), names.end());
  options.encoding = data.encoding;
  const DataToCheck validation = open_to_check(other, model, options);
  result.has_validation = true;
  result.validation = check_data(validation, other, model);
  warn_of_leaks(result.data.fingerprints, name_in(data), result.validation.fingerprints,
                name_in(validation), result.across);
  return result;
}

}  // namespace

int check(Arguments arguments) {
  CheckArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  if (parsed.threads > 0) set_thread_count(parsed.threads);
  const StopSignals signals;
  Findings findings;
  const HeapGuard guard;
  const CheckResult result = check_all(parsed, findings);
  if (parsed.json)
    print_as_json(result);
  else
    print_as_table(result);
  return result.has_bad() ? kBadModelOrData : kDone;
}

}  // namespace plimsoll::cli
