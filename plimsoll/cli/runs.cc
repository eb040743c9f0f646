// plimsoll runs: lists the runs in a folder.
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/report/console_progress.h"
#include "plimsoll/report/run_list_json.h"
#include "plimsoll/report/run_table.h"

namespace plimsoll::cli {

int runs(Arguments arguments) {
  CLI::App app("Lists the runs of plimsoll train in a folder, the newest first.", "plimsoll runs");
  std::string folder = ".";
  bool json = false;
  app.add_option("DIR", folder, "the folder of a run, or one that has such folders (default: .)")
      ->option_text(" ");
  app.add_flag("--json", json, "print the runs as JSON");
  app.footer(
      "Example:\n\n"
      "  plimsoll runs experiments\n\n"
      "A run is running, done, stopped (by a signal or by --max-time), failed, killed (its "
      "process\n"
      "is gone without a word; 'plimsoll resume RUN' goes on) or damaged. BEST is the metric of\n"
      "best.keras, or the least loss. PEAK is the memory that was measured, beside what was "
      "planned.\n");
  if (!parse(app, arguments)) return kDone;
  const std::vector<RunSummary> found = list_runs(folder);
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const RunSummary& run : found) all.push_back(to_json(run));
    print_json(all);
  } else if (found.empty()) {
    print_message(folder + ": has no run (a folder with a run.json)");
  } else {
    print_text(run_table(found, isatty(STDOUT_FILENO) != 0 ? terminal_columns(stdout) : 0));
  }
  return kDone;
}

}  // namespace plimsoll::cli
