// How the numbers of a column are written: 1,234.5 or 1.234,5, in percent or in a currency.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

struct NumberFormat {
  char decimal = '.';     // or a comma
  char thousands = 0;     // a comma, a point, a space, an apostrophe; 0: digits are not grouped
  std::string unit = {};  // before or after every number: "%", "$", "EUR"
  bool operator==(const NumberFormat&) const = default;
};

// The ways of writing that are known, the likelier first.
inline constexpr std::array<std::array<char, 2>, 6> kNumberMarks = {
    {{'.', ','}, {',', '.'}, {'.', ' '}, {',', ' '}, {'.', '\''}, {',', '\''}}};

struct ReadNumber {
  double value = 0;
  bool is_grouped = false;  // it has a mark for thousands
};

// None if the text is not a number in this format, or one that float32 does not hold. Groups of
// digits have three each, and the first has one to three and does not begin with 0: so 0,125 is not
// grouped. A unit that the format has must be there. A space between the digits may also be one
// that does not break lines.
std::optional<ReadNumber> parse_number(std::string_view text, const NumberFormat& format);

// "-1.234,5 €": what parse_number() reads as the same number, to seven digits.
std::string format_number(double value, const NumberFormat& format);

// The unit among those that are known by themselves, the percent sign and currencies, that the text
// begins or ends with; empty if it has none.
std::string_view known_unit(std::string_view text);

}  // namespace plimsoll
