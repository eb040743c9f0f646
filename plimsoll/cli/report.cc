// plimsoll report: a page that shows a run.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/reported_run.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/train/report/write_report.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportHelp =
    "Examples:\n\n"
    "  plimsoll report run\n"
    "  plimsoll report run --out page.html --no-data\n\n"
    "The page is one file that needs no network: RUN/report.html unless --out names another. The\n"
    "model of the run is run on the validation data if that is still there, to show which classes\n"
    "it confuses and the records for which it is most wrong; --no-data leaves that out.\n";

struct ReportArguments {
  std::vector<std::string> runs;
  std::string out;
  bool no_data = false, json = false;
  int64_t most_records = 10'000;
  int threads = 0;
};

bool read(Arguments arguments, ReportArguments& into) {
  CLI::App app(
      "Writes a page that shows a run: its outcome, curves, memory plan, model, data, "
      "predictions and findings.",
      "plimsoll report");
  app.add_option("RUN", into.runs, "the folder of a run; with several, each gets a page of its own")
      ->required()
      ->option_text("...");
  app.add_option("--out", into.out, "the file to write (default: RUN/report.html)")
      ->option_text("FILE");
  app.add_flag("--no-data", into.no_data,
               "read no data: no predictions, classes and pictures, and no findings about data");
  app.add_option("--records", into.most_records,
                 "the most validation records that the model is run on (default: 10000)")
      ->option_text("N")
      ->check(count());
  app.add_option("--threads", into.threads, "threads that compute (default: one per core)")
      ->option_text("N")
      ->check(count());
  app.add_flag("--json", into.json, "print what was written, as JSON");
  app.footer(kReportHelp);
  if (!parse(app, arguments)) return false;
  if (!into.out.empty() && into.runs.size() > 1)
    throw WrongUsage("report: --out names one file; several runs have one page each");
  return true;
}

}  // namespace

int report(Arguments arguments) {
  ReportArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  if (parsed.threads > 0) set_thread_count(parsed.threads);
  for (const std::string& run : parsed.runs) read_run_json(run);  // or nothing is written
  const fs::path here = fs::current_path();
  nlohmann::ordered_json written = nlohmann::ordered_json::array();
  for (const std::string& run : parsed.runs) {
    const std::string out = parsed.out.empty() ? run + "/report.html" : parsed.out;
    refuse_files_of_run("report", run, out);
    Findings findings;
    ReportOptions options = report_options(run, !parsed.no_data, findings);
    options.most_records = parsed.most_records;
    fs::current_path(here);
    write_report(run, out, options);
    const auto bytes = static_cast<int64_t>(fs::file_size(out));
    written.push_back({{"run", run}, {"report", out}, {"bytes", bytes}});
    if (!parsed.json) print_text(fmt::format("{}: {}\n", out, format_bytes(bytes)));
  }
  if (parsed.json) print_json({{"reports", written}});
  return kDone;
}

}  // namespace plimsoll::cli
