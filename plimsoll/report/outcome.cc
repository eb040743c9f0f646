#include "plimsoll/report/outcome.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/bytes.h"
#include "plimsoll/report/shown.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

std::string beginning(const RunReport& report, const Json& result) {
  const std::string& status = report.story.status;
  const std::string why = text_in(result, "why", 600);
  if (status == "done") return "Done";
  if (status == "stopped") return why.empty() ? "Stopped" : fmt::format("Stopped ({})", why);
  if (status == "failed") return why.empty() ? "Failed" : fmt::format("Failed ({})", why);
  return "Still running, or killed";
}

std::string epochs_text(const RunReport& report, const Json& result) {
  const size_t done = report.story.epochs.size();
  std::string text = fmt::format("{} epoch{}", done, done == 1 ? "" : "s");
  if (report.story.planned_epochs > static_cast<int64_t>(done))
    text = fmt::format("{} of {} epochs", done, report.story.planned_epochs);
  if (const int64_t batches = integer_in(result, "batches"); batches > 0)
    text += fmt::format(" and {} batch{}", batches, batches == 1 ? "" : "es");
  return text;
}

std::string best_text(const Json& result, const RunReport& report) {
  const Json& best = member(result, "best");
  if (const std::string metric = text_in(best, "metric", 80); !metric.empty())
    return fmt::format("; best {} {:.4g} in epoch {}", metric, number_in(best, "value"),
                       integer_in(best, "epoch"));
  if (report.story.epochs.empty()) return "";
  const auto& metrics = report.story.epochs.back().metrics;
  const auto loss = metrics.find("loss");
  return loss == metrics.end() ? "" : fmt::format("; last loss {:.4g}", loss->second);
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string outcome_sentence(const RunReport& report) {
  const Json run = json_of(report.run_json);
  const Json& result = member(run, "result");
  std::string text = beginning(report, result) + ": " + epochs_text(report, result);
  if (report.story.seconds > 0) text += " in " + duration_text(report.story.seconds);
  text += best_text(result, report);
  const int64_t planned = integer_in(member(run, "plan"), "peak_bytes");
  const int64_t measured = integer_in(result, "measured_peak_bytes");
  if (measured > 0) text += "; peak memory " + format_bytes(measured);
  if (planned > 0)
    text += fmt::format("{} {}", measured > 0 ? ", planned" : "; planned peak memory",
                        format_bytes(planned));
  return text + ".";
}

}  // namespace plimsoll
