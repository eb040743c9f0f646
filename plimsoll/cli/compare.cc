// plimsoll compare: a page that shows several runs and what differs between them.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/bytes.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/reported_run.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/train/report/write_report.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kCompareHelp =
    "Example:\n\n"
    "  plimsoll compare run run2 --out compare.html\n\n"
    "The curves of the runs are drawn over each other; options, plans and results that differ are\n"
    "marked. Nothing but the folders of the runs is read.\n";

}  // namespace

int compare(Arguments arguments) {
  CLI::App app(
      "Writes a page that shows several runs: their curves in one picture, and what "
      "differs in options, plan and results.",
      "plimsoll compare");
  std::vector<std::string> runs;
  std::string out = "compare.html";
  bool json = false;
  app.add_option("RUN", runs, "the folders of two runs or more")->required()->option_text("...");
  app.add_option("--out", out, "the file to write (default: compare.html)")->option_text("FILE");
  app.add_flag("--json", json, "print what was written, as JSON");
  app.footer(kCompareHelp);
  if (!parse(app, arguments)) return kDone;
  if (runs.size() < 2) throw WrongUsage("compare: expected two runs or more, found one");
  for (const std::string& run : runs) refuse_files_of_run("compare", run, out);
  write_comparison(runs, out);
  const auto bytes = static_cast<int64_t>(std::filesystem::file_size(out));
  if (json)
    print_json({{"runs", runs}, {"report", out}, {"bytes", bytes}});
  else
    print_text(fmt::format("{}: {}\n", out, format_bytes(bytes)));
  return kDone;
}

}  // namespace plimsoll::cli
