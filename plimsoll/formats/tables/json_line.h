// One line of a JSON-lines file: an object whose members are numbers, lists of numbers, or texts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/tensor/shape.h"

namespace plimsoll {

struct JsonLineLimits {
  int64_t line_bytes = int64_t{16} << 20;
  int64_t keys = 1 << 14;
  int64_t text_bytes = 1 << 16;  // of a key or a text
};

struct JsonValue {
  enum class Kind { missing, numbers, text };

  Kind kind = Kind::missing;
  Shape shape = {};                  // of numbers: () for one, (3, 2) for three lists of two
  std::vector<double> numbers = {};  // row-major; true and false are 1 and 0
  bool is_boolean = false;           // it is true or false
  bool are_whole = true;             // every number is an integer that a double holds exactly
  std::string text = {};
};

struct JsonLine {
  // In their order.
  std::vector<std::string> keys;
  std::map<std::string, JsonValue, std::less<>> values;

  // Of kind missing where the line has no such key, or null there.
  const JsonValue& operator[](std::string_view key) const;
};

// FlawedRecord, beginning with `name`, where the line is not an object of such members, is empty,
// or goes beyond the limits. The memory that it takes is a small multiple of the line.
JsonLine parse_json_line(std::string_view line, const std::string& name,
                         const JsonLineLimits& limits = {});

}  // namespace plimsoll
