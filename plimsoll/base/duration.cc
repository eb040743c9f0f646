#include "plimsoll/base/duration.h"

#include <charconv>
#include <string_view>

namespace plimsoll {
namespace {

// 0: there is no such unit.
double seconds_of(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86400;
    default:
      return 0;
  }
}

}  // namespace

std::optional<double> parse_duration(const std::string& text) {
  double seconds = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    double number = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !(number >= 0)) return std::nullopt;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    const double unit = rest.empty() ? 1 : seconds_of(rest.front());
    if (unit == 0) return std::nullopt;
    if (!rest.empty()) rest.remove_prefix(1);
    seconds += number * unit;
  }
  if (text.empty()) return std::nullopt;
  return seconds;
}

}  // namespace plimsoll
