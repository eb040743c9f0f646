#include "plimsoll/cli/diagnosis_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/record/run_log.h"

namespace plimsoll::cli {

nlohmann::ordered_json json_of(const DiagnosedCause& it) {
  using Json = nlohmann::ordered_json;
  Json evidence = Json::object(), where = Json::object();
  for (const auto& [name, value] : it.evidence) evidence[name] = json_number(value);
  if (!it.layer.empty()) where["layer"] = it.layer;
  if (!it.op.empty()) where["op"] = it.op;
  if (!it.record.empty()) where["record"] = it.record;
  if (!it.line.empty()) where["line"] = it.line;
  return {{"cause", it.cause},
          {"severity", to_string(it.severity)},
          {"confidence", it.confidence},
          {"where", where},
          {"what", it.what},
          {"evidence", evidence},
          {"remedy", it.remedy},
          {"option", it.option}};
}

nlohmann::ordered_json json_of(const Diagnosis& diagnosis) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const DiagnosedCause& it : diagnosis.findings) findings.push_back(json_of(it));
  nlohmann::ordered_json all = {{"verdict", to_string(diagnosis.verdict)}, {"findings", findings}};
  if (diagnosis.skill) all["skill"] = json_number(*diagnosis.skill);
  return all;
}

std::string verdict_text(const Diagnosis& diagnosis) {
  std::string text(to_string(diagnosis.verdict));
  if (diagnosis.skill)
    text += fmt::format(": {:.0f}% of the way from a constant answer to a perfect one was made",
                        100 * *diagnosis.skill);
  return text;
}

std::string text_of(const Diagnosis& diagnosis) {
  std::string text = verdict_text(diagnosis) + "\n";
  for (const DiagnosedCause& it : diagnosis.findings)
    text += fmt::format("\n{} {} ({:.0f}%)\n  {}\n  {}\n", to_string(it.severity), it.cause,
                        100 * it.confidence, it.what, advice_of(it));
  return text;
}

}  // namespace plimsoll::cli
