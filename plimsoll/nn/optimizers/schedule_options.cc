#include "plimsoll/nn/optimizers/schedule_options.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr double kMostExact = 9007199254740992;  // 2^53

Json number_of_steps(double steps) {
  const bool whole = std::trunc(steps) == steps && std::abs(steps) < kMostExact;
  return whole ? Json(static_cast<int64_t>(steps)) : Json(steps);
}

}  // namespace

void check_steps(const std::string& schedule, const char* key, double steps) {
  if (!(steps > 0))
    throw InvalidArgument(fmt::format("{}: {} must be above 0, found {}", schedule, key, steps));
}

void with_steps(Fields& fields, const char* key, double& steps) {
  if (fields.reading())
    fields.with(key, steps);
  else
    fields.write(key, number_of_steps(steps));
}

void with_steps(Fields& fields, const char* key, std::vector<double>& steps) {
  if (fields.reading()) {
    fields.with(key, steps);
    return;
  }
  Json list = Json::array();
  for (const double step : steps) list.push_back(number_of_steps(step));
  fields.write(key, std::move(list));
}

}  // namespace plimsoll
