// The page's data of run.json, plan.json and the texts of a log that may hold anything.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "plimsoll/report/report_json.h"

// The first half of the input is run.json, the second plan.json; the whole is every other text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  plimsoll::RunReport report{.name = text};
  report.run_json = text.substr(0, size / 2);
  report.picture = {text.substr(size / 2)};
  report.story.status = text;
  report.story.findings.push_back({.where = text, .what = text});
  report.story.epochs.push_back({.metrics = {{text, 1.0}}});
  report.quarantine = {plimsoll::Quarantine{
      .count = 1, .reasons = {{text, 1}}, .first = {{.path = text, .reason = text}}}};
  // All of it can be written and read again.
  const auto json = plimsoll::to_json(report);
  if (!nlohmann::ordered_json::accept(json.dump())) __builtin_trap();
  return 0;
}
