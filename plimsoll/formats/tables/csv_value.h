// What a field of a CSV file says.
#pragma once

#include <cstdint>
#include <string_view>

namespace plimsoll {

struct CsvValue {
  enum class Kind { missing, integer, real, text };

  Kind kind = Kind::missing;
  double number = 0;    // of an integer or a real
  int64_t integer = 0;  // of an integer
};

// Spaces around it do not count. "True" and "False" are 1 and 0; missing are
// the empty field and what pandas takes for it: NA, N/A, NaN, null, None and
// their like.
CsvValue parse_csv_value(std::string_view text);

}  // namespace plimsoll
