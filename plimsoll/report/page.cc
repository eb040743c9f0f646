#include "plimsoll/report/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string_view>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/record/run_log.h"
#include "plimsoll/report/page_files.h"
#include "plimsoll/report/report_json.h"
#include "plimsoll/report/shown.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

// JSON for inside a <script> element: no '<' is left in it, so nothing in it can end the
// element or begin a comment. The two line separators of JavaScript are ASCII escapes too.
std::string script_safe(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace))
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

// Text between tags, or in an attribute.
std::string html_safe(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const std::string_view special = c == '&'    ? "&amp;"
                                     : c == '<'  ? "&lt;"
                                     : c == '>'  ? "&gt;"
                                     : c == '"'  ? "&quot;"
                                     : c == '\'' ? "&#39;"
                                                 : "";
    if (special.empty())
      safe += c;
    else
      safe += special;
  }
  return safe;
}

void replace_mark(std::string& page, std::string_view mark, std::string_view by) {
  const size_t at = page.find(mark);
  if (at == page.npos) throw Error(fmt::format("report: the page has no {}", mark));
  page.replace(at, mark.size(), by);
}

// Of a page: the policy of its head runs no script and uses no style without it.
std::string random_nonce() {
  std::random_device random;
  std::string nonce;
  for (int i = 0; i < 4; ++i) nonce += fmt::format("{:08x}", random());
  return nonce;
}

// Marks are replaced from the end of the page on, so that none is looked for in what was put in.
std::string fill_page(const std::string& title, const std::string& summary, const Json& data) {
  std::string page(kReportHtml);
  const std::string nonce = random_nonce();
  for (int i = 0; i < 4; ++i) replace_mark(page, "%%NONCE%%", nonce);
  replace_mark(page, "%%SCRIPT%%",
               fmt::format("{}{}{}", kChartScript, kReportScript, kReportStart));
  replace_mark(page, "%%DATA%%", script_safe(data));
  replace_mark(page, "%%SUMMARY%%", html_safe(summary));
  replace_mark(page, "%%STYLE%%", kPageStyle);
  replace_mark(page, "%%TITLE%%", html_safe(title));
  return page;
}

void drop_thumbnails(Json& run) {
  for (auto& [part, list] : {std::pair{"predictions", "worst"}, std::pair{"quarantine", "first"}})
    if (run.contains(part) && run[part].contains(list))
      for (Json& it : run[part][list]) it["thumbnail"] = "";
}

// What a page can do without, the largest first; the empty name is that of the thumbnails.
void drop_part(Json& run, const std::string& part) {
  if (part.empty()) return drop_thumbnails(run);
  if (!run.contains(part)) return;
  if (part == "findings")
    run[part] = Json::array();
  else if (part == "options" || part == "machine")
    run[part] = Json::object();
  else
    run[part] = {{"missing", "It is left out so that the page stays under 2 MB."}};
}

// Leaves out what is large until the page is small enough.
std::string bounded_page(const std::string& title, const std::string& summary, Json data) {
  std::string page = fill_page(title, summary, data);
  for (const char* part : {"", "picture", "statistics", "model", "predictions", "profile", "plan",
                           "findings", "options", "machine"}) {
    if (page.size() <= kMostPageBytes) return page;
    for (Json& run : data["runs"]) drop_part(run, part);
    page = fill_page(title, summary, data);
  }
  if (page.size() > kMostPageBytes)
    throw InvalidArgument(fmt::format(
        "report: a page of {} run(s) would have {} bytes, more than {}; name fewer runs",
        data["runs"].size(), page.size(), kMostPageBytes));
  return page;
}

}  // namespace

std::string report_page(const RunReport& report) {
  Json run = to_json(report);
  const std::string summary = run["outcome"].get<std::string>();
  Json data = {{"page", "report"}, {"made", time_now()}, {"runs", Json::array({std::move(run)})}};
  return bounded_page(shown(report.name, 120) + " – run report", summary, std::move(data));
}

std::string comparison_page(const std::vector<RunReport>& reports) {
  Json runs = Json::array();
  std::string summary;
  for (const RunReport& report : reports) {
    runs.push_back(comparison_json(report, reports.size()));
    summary +=
        fmt::format("{}: {} ", shown(report.name, 120), runs.back()["outcome"].get<std::string>());
  }
  Json data = {{"page", "comparison"}, {"made", time_now()}, {"runs", std::move(runs)}};
  return bounded_page(fmt::format("{} runs compared", reports.size()), summary, std::move(data));
}

}  // namespace plimsoll
