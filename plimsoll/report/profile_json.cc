#include "plimsoll/report/profile_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/report/profile_report.h"
#include "plimsoll/report/shown.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostOperations = 100'000, kMostProfileRows = 400;

// 0 where it is missing or no amount.
double amount_in(const Json& json, const char* key) {
  const double value = number_in(json, key);
  return std::isfinite(value) && value > 0 ? value : 0;
}

OperationProfile operation_of(const Json& row) {
  return {.operation = text_in(row, "operation", 80),
          .layer = text_in(row, "layer", 120),
          .calls = amount_in(row, "calls"),
          .seconds = amount_in(row, "seconds"),
          .operations = amount_in(row, "operations"),
          .bytes = amount_in(row, "bytes")};
}

StepProfile profile_of(const Json& json) {
  const Json& machine = member(json, "machine");
  StepProfile profile{.steps = integer_in(json, "steps"),
                      .batch_size = integer_in(json, "batch_size"),
                      .step_seconds = amount_in(json, "step_seconds"),
                      .wait_seconds = amount_in(json, "wait_seconds")};
  profile.is_machine_measured = member(machine, "is_measured") == Json(true);
  profile.machine_operations_per_second = amount_in(machine, "operations_per_second");
  profile.machine_bytes_per_second = amount_in(machine, "bytes_per_second");
  const Json& rows = member(json, "operations");
  for (size_t i = 0; i < std::min(rows.size(), kMostOperations); ++i)
    profile.operations.push_back(operation_of(rows[i]));
  return profile;
}

Json row_json(const OperationProfile& row) {
  return {row.operation,
          row.layer,
          shown_number(row.calls),
          shown_number(row.seconds),
          shown_number(row.operations),
          shown_number(row.bytes)};
}

// Those after the first ones are one row.
Json rows_json(const StepProfile& profile, ProfileBy by) {
  std::vector<OperationProfile> all = joined(profile, by).operations;
  std::ranges::stable_sort(all, std::greater{}, &OperationProfile::seconds);
  Json rows = Json::array();
  for (size_t i = 0; i < std::min(all.size(), kMostProfileRows); ++i)
    rows.push_back(row_json(all[i]));
  if (all.size() <= kMostProfileRows) return rows;
  OperationProfile others{.operation = fmt::format("{} others", all.size() - kMostProfileRows)};
  for (size_t i = kMostProfileRows; i < all.size(); ++i) add(all[i], others);
  rows.push_back(row_json(others));
  return rows;
}

}  // namespace

Json profile_json(const std::string& text) {
  const Json json = json_of(text);
  if (!member(json, "operations").is_array()) return {{"missing", "profile.json is damaged."}};
  const StepProfile profile = profile_of(json);
  if (profile.steps <= 0 || profile.operations.empty())
    return {{"missing", "The run ended before the steps that were to be measured."}};
  return {{"steps", profile.steps},
          {"batch_size", profile.batch_size},
          {"step_seconds", profile.step_seconds},
          {"wait_seconds", profile.wait_seconds},
          {"is_machine_measured", profile.is_machine_measured},
          {"machine_operations_per_second", profile.machine_operations_per_second},
          {"machine_bytes_per_second", profile.machine_bytes_per_second},
          {"operations", rows_json(profile, ProfileBy::operation)},
          {"layers", rows_json(profile, ProfileBy::layer)}};
}

}  // namespace plimsoll
