#include "plimsoll/cli/serve/live_events.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/report/run_files.h"
#include "plimsoll/report/run_list_json.h"
#include "plimsoll/report/shown.h"

namespace plimsoll::serve {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostLogBytes = 64 << 20;
constexpr size_t kMostBytes = 4 << 20, kMostEventBytes = 16 << 10;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "id" is where a page that lost its connection goes on.
std::string message(const char* event, int64_t id, const std::string& data) {
  return fmt::format("event: {}\nid: {}\ndata: {}\n\n", event, id, data);
}

}  // namespace

std::string shown_event(std::string_view line) {
  const Json event = parse_event(line);
  const std::string kind = text_in(event, "event");
  if (kind.empty()) return "";
  Json shown = event;
  if (kind == "statistics")
    shown = {{"event", kind},
             {"step", event.value("step", Json())},
             {"epoch", event.value("epoch", Json())},
             {"loss", event.value("loss", Json())},
             {"learning_rate", event.value("learning_rate", Json())}};
  const std::string text = text_of(shown);
  return text.size() > kMostEventBytes ? "" : text;
}

std::string LiveEvents::poll(const RunDoor& run) {
  std::string lines;
  try {
    const LogPart part =
        read_log_lines(run.path(), next_, kMostLogBytes, [&](std::string_view line) {
          const std::string shown = shown_event(line);
          if (lines.size() + shown.size() > kMostBytes) return false;
          if (!shown.empty()) lines += "data: " + shown + "\n";
          return true;
        });
    if (!lines.empty()) lines = fmt::format("event: log\nid: {}\n{}\n", part.next, lines);
    // The run went on from a checkpoint: the page forgets what it has.
    if (part.has_shrunk) lines = message("reset", 0, "{}") + lines;
    if (part.is_cut) lines = message("cut", part.next, "{}") + lines;
    next_ = part.next;
  } catch (const Error&) {
    // No log yet.
  }
  Json summary = to_json(summarize_run(run.path(), name_, *logs_));
  summary.erase("process");
  // The time of a run that goes on changes at every look.
  Json state = summary;
  if (state["status"] == "running") state.erase("seconds");
  const std::string status = text_of(state);
  if (status != status_) lines += message("status", next_, text_of(summary));
  status_ = status;
  return lines;
}

}  // namespace plimsoll::serve
