#include "plimsoll/cli/serve/answer.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/serve/ask_run.h"
#include "plimsoll/cli/serve/run_door.h"
#include "plimsoll/report/page_files.h"
#include "plimsoll/report/read_run_files.h"
#include "plimsoll/report/report_json.h"
#include "plimsoll/report/run_files.h"
#include "plimsoll/report/run_list_json.h"

namespace plimsoll::serve {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kScript = "text/javascript; charset=utf-8";
constexpr const char* kStyle = "text/css; charset=utf-8";

Answer refused(int status, const char* word) {
  return {.status = status, .body = std::string(word) + "\n"};
}

// Takes the same time wherever they differ.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

bool is_own_host(const std::string& host, int port) {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

Answer json_answer(const Json& json) {
  return {.type = "application/json",
          .body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

std::string parameter(const Question& question, const char* name) {
  const auto found = question.parameters.find(name);
  return found == question.parameters.end() ? "" : found->second;
}

Answer runs_answer(const ServedFolder& served) {
  Json all = Json::array();
  for (const RunSummary& run : list_runs(served.folder, *served.logs)) {
    all.push_back(to_json(run));
    all.back().erase("process");
  }
  return json_answer({{"folder", served.folder}, {"runs", std::move(all)}});
}

// What a page shows of run.json besides the summary.
Answer run_answer(const RunDoor& run, const std::string& name, KnownLogs& logs) {
  Json found = {{"summary", to_json(summarize_run(run.path(), name, logs))}};
  found["summary"].erase("process");
  try {
    const Json json = read_run_file(run.path());
    for (const char* key : {"version", "model", "data", "options", "plan"})
      found[key] = json.value(key, Json());
  } catch (const Error& error) {
    found["damaged"] = error.what();
  }
  return json_answer(found);
}

// A run.json that is damaged is no reason to show nothing of the folder.
KnownStories::Known story_of(const std::string& run, KnownStories& stories) {
  try {
    return stories.read(run);
  } catch (const Error&) {
    return {};
  }
}

// What a page of 'plimsoll report' shows of the files of a run. What would need its model or its
// data is left to that.
Answer report_answer(const RunDoor& run, const std::string& name, KnownStories& stories) {
  constexpr int64_t kMostFileBytes = 4 << 20;
  KnownStories::Known known = story_of(run.path(), stories);
  RunReport report = read_run_files(run.path(), std::move(known.story), false, kMostFileBytes);
  report.name = name;
  const char* elsewhere = "'plimsoll report' shows this: it opens the model and the data.";
  report.model.missing = report.budgets.missing = elsewhere;
  report.balance.missing = report.predictions.missing = elsewhere;
  report.diagnosis.missing =
      "Here is what the run has noticed so far. 'plimsoll doctor' and 'plimsoll report' look at "
      "its model and its data too.";
  Json json = to_json(report);
  json["is_cut"] = known.is_cut;
  return json_answer(json);
}

int64_t number_of(const std::string& text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number < 0 ? 0 : number;
}

// Of a run; `what` is what the page wants of it.
Answer about_run(std::string_view what, const Question& question, const ServedFolder& served) {
  const std::string name = parameter(question, "name");
  const std::optional<RunDoor> run = RunDoor::open(served.folder, name);
  if (!run) return refused(404, "no such run");
  if (what == "run") return run_answer(*run, name, *served.logs);
  if (what == "report") return report_answer(*run, name, *served.stories);
  if (what == "events") {
    const std::string& last = question.last_event;
    return {.live =
                LiveRequest{name, number_of(last.empty() ? parameter(question, "from") : last)}};
  }
  const std::string why = ask_run(*run, what == "stop" ? Wish::stop : Wish::checkpoint);
  return why.empty() ? Answer{.body = "asked\n"} : refused(409, why.c_str());
}

Answer page(std::string_view name, const ServedFolder& served) {
  if (name.empty()) return {.type = kHtml, .body = std::string(kServeHtml)};
  if (name == "serve.js") return {.type = kScript, .body = std::string(kServeScript)};
  if (name == "charts.js") return {.type = kScript, .body = std::string(kChartScript)};
  if (name == "report.js") return {.type = kScript, .body = std::string(kReportScript)};
  if (name == "page.css") return {.type = kStyle, .body = std::string(kPageStyle)};
  if (name == "api/runs") return runs_answer(served);
  return refused(404, "not found");
}

}  // namespace

Answer answer(const Question& question, const ServedFolder& served) {
  if (!is_own_host(question.host, served.port)) return refused(421, "wrong host");
  const std::string_view path = question.path;
  const size_t slash = path.find('/', 1);
  if (path.empty() || slash == path.npos || !is_same(path.substr(1, slash - 1), served.token))
    return refused(403, "wrong address: it needs the secret part that 'plimsoll serve' printed");
  if (!question.origin.empty() && question.origin != "http://" + question.host)
    return refused(403, "wrong origin");
  const std::string_view name = path.substr(slash + 1);
  const bool writes = name == "api/checkpoint" || name == "api/stop";
  if (question.method != (writes ? "POST" : "GET")) return refused(405, "wrong method");
  if (writes || name == "api/run" || name == "api/report" || name == "api/events")
    return about_run(name.substr(4), question, served);
  return page(name, served);
}

}  // namespace plimsoll::serve
