#include "plimsoll/report/shown.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"

namespace plimsoll {

using Json = nlohmann::ordered_json;

std::string shown(std::string_view text, size_t most) {
  const bool is_cut = text.size() > most;
  size_t end = is_cut ? most : text.size();
  while (is_cut && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  // Writing and reading it once replaces what is not UTF-8.
  const Json raw = std::string(text.substr(0, end));
  const Json clean = Json::parse(raw.dump(-1, ' ', false, Json::error_handler_t::replace));
  return clean.get<std::string>() + (is_cut ? "…" : "");
}

Json shown_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<int64_t>(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return std::strtod(text, nullptr);
}

Json json_of(const std::string& text) {
  try {
    return parse_json(text, "report");
  } catch (const Error&) {
    return nullptr;
  }
}

const Json& member(const Json& json, const char* key) {
  static const Json nothing;
  if (!json.is_object()) return nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

std::string text_in(const Json& json, const char* key, size_t most) {
  const Json& found = member(json, key);
  return found.is_string() ? shown(found.get<std::string>(), most) : "";
}

double number_in(const Json& json, const char* key) {
  const Json& found = member(json, key);
  if (found.is_number()) return found.get<double>();
  const std::string name = found.is_string() ? found.get<std::string>() : "";
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return name == "nan" ? std::nan("") : name == "inf" ? kInfinity : name == "-inf" ? -kInfinity : 0;
}

int64_t integer_in(const Json& json, const char* key) {
  const double value = number_in(json, key);
  return std::abs(value) < 9e18 ? static_cast<int64_t>(value) : 0;
}

}  // namespace plimsoll
