#include "plimsoll/guards/doctor/diagnosis_json.h"

#include <nlohmann/json.hpp>

#include "plimsoll/record/run_log.h"

namespace plimsoll {

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

}  // namespace plimsoll
