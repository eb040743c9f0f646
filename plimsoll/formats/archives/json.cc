#include "plimsoll/formats/archives/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

std::string place_of(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::ranges::count(before, '\n');
  const size_t line_start = before.rfind('\n');
  const size_t column = at - (line_start == before.npos ? 0 : line_start + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

// The parser and destructor of the library do not recurse, but readers of a value do.
void check_depth(std::string_view text, const std::string& name, int max_depth) {
  int depth = 0;
  bool in_string = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string && c == '\\')
      ++at;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == ']' || c == '}'))
      --depth;
    else if (!in_string && (c == '[' || c == '{') && ++depth > max_depth)
      throw CorruptFile(fmt::format("{}: is nested deeper than {} levels at {}", name, max_depth,
                                    place_of(text, at)));
  }
}

// The library's sentence, without its number and place, and no longer than a line.
std::string reason_of(const nlohmann::json::exception& error) {
  std::string reason = error.what();
  if (const size_t end = reason.find("] "); end != reason.npos) reason.erase(0, end + 2);
  if (reason.starts_with("parse error"))
    if (const size_t end = reason.find(": "); end != reason.npos) reason.erase(0, end + 2);
  if (reason.size() > 120) reason = reason.substr(0, 117) + "...";
  std::ranges::replace_if(
      reason, [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return reason;
}

void dump_to(std::string& text, const Json& value);

void dump_object(std::string& text, const Json& object) {
  text += '{';
  for (const auto& [key, value] : object.items()) {
    if (text.back() != '{') text += ", ";
    dump_to(text, key);
    text += ": ";
    dump_to(text, value);
  }
  text += '}';
}

void dump_array(std::string& text, const Json& array) {
  text += '[';
  for (size_t i = 0; i < array.size(); ++i) {
    if (i > 0) text += ", ";
    dump_to(text, array[i]);
  }
  text += ']';
}

void dump_to(std::string& text, const Json& value) {
  if (value.is_object()) return dump_object(text, value);
  if (value.is_array()) return dump_array(text, value);
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    throw InvalidArgument("JSON: a number is not finite");
  text += value.dump(-1, ' ', true);
}

}  // namespace

Json parse_json(std::string_view text, const std::string& name, const JsonLimits& limits) {
  if (static_cast<int64_t>(text.size()) > limits.max_bytes)
    throw CorruptFile(name + ": holds " + format_bytes(static_cast<int64_t>(text.size())) +
                      " of JSON, at most " + format_bytes(limits.max_bytes) + " are read");
  check_depth(text, name, limits.max_depth);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw CorruptFile(name + ": is not JSON at " +
                      place_of(text, std::min(std::max(error.byte, size_t{1}) - 1, text.size())) +
                      ": " + reason_of(error));
  } catch (const Json::exception& error) {
    throw CorruptFile(name + ": is not JSON: " + reason_of(error));
  }
}

std::string dump_json(const Json& value) {
  std::string text;
  try {
    dump_to(text, value);
  } catch (const Json::exception& error) {
    throw InvalidArgument("JSON: " + reason_of(error));
  }
  return text;
}

}  // namespace plimsoll
