#include "plimsoll/nn/keras/number_or_list.h"

#include <nlohmann/json.hpp>
#include <string>

#include "plimsoll/nn/keras/fields.h"

namespace plimsoll {
namespace {

// The value in {"class_name": "__numpy__", "config": {"value": …, "dtype": …}}, or the json itself
// if it has no such wrapping.
const Json& without_wrapping(const Json& json) {
  if (!json.is_object() || !json.contains("config") || !json["config"].is_object()) return json;
  const auto value = json["config"].find("value");
  return value == json["config"].end() ? json : *value;
}

bool is_number_or_list(const Json& json) {
  if (json.is_number()) return true;
  if (!json.is_array() || json.empty()) return false;
  for (const Json& element : json)
    if (!element.is_number()) return false;
  return true;
}

}  // namespace

void tell(Fields& fields, const char* key, NumberOrList& value) {
  if (!fields.reading())
    return fields.write(key, value.is_list ? Json(value.values) : Json(value.values[0]));
  const Json* found = fields.find(key);
  if (found == nullptr) return;
  const Json& json = without_wrapping(*found);
  if (!is_number_or_list(json))
    fields.refuse(std::string(key) + " must be a number or a list of numbers");
  value.is_list = json.is_array();
  value.values =
      value.is_list ? json.get<std::vector<double>>() : std::vector<double>{json.get<double>()};
}

void tell(Fields& fields, const char* key, std::optional<NumberOrList>& value) {
  if (!fields.reading() && !value) return fields.write(key, nullptr);
  if (fields.reading() && !fields.has(key)) {
    fields.ignored(key);
    return value.reset();
  }
  if (!value) value = 0.0;
  tell(fields, key, *value);
}

}  // namespace plimsoll
