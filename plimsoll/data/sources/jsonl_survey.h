// What the lines of JSON-lines files say together of their keys.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "plimsoll/data/sources/json_lines.h"

namespace plimsoll {

// A line with the keys of the first 1,000 good lines, in the order in which they come. Each has the
// first of its values that is of the kind of most: text, or numbers, which may be in quotes. A key
// that has no value in these lines is missing. InvalidArgument if no line is good.
JsonLine typical_line(const JsonLines& lines);

// The value where a number belongs: a text that is a number is that number, and one that is a gap
// in a CSV file ("N/A") is missing. `room` holds it then.
const JsonValue& as_number(const JsonValue& value, JsonValue& room);

// What all good lines say of a target of single values. Gaps do not count.
struct TargetSurvey {
  struct Text {
    int64_t records = 0;
    int64_t first = 0;  // record
  };
  // Of at most kMostClasses + 1 different texts.
  std::map<std::string, Text, std::less<>> texts;
  int64_t text_records = 0, number_records = 0;
  bool are_whole = true;  // all numbers are
  double least = 0, largest = 0;

  // As of a column of a CSV file: a few texts among numbers are bad values.
  bool is_text() const { return text_records > number_records; }
};
inline constexpr size_t kMostClasses = 1 << 16;

// With `quotes_hold_numbers`, a text that is a number counts as one.
TargetSurvey survey_target(const JsonLines& lines, const std::string& key,
                           bool quotes_hold_numbers);

}  // namespace plimsoll
