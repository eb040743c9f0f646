#include "plimsoll/train/callbacks/number_text.h"

#include <charconv>
#include <cmath>

namespace plimsoll {

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const double size = std::abs(value);
  const bool is_plain = size == 0 || (size >= 1e-4 && size < 1e16);
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, value,
                    is_plain ? std::chars_format::fixed : std::chars_format::scientific)
          .ptr;
  std::string result(text, end);
  if (is_plain && result.find('.') == std::string::npos) result += ".0";
  return result;
}

}  // namespace plimsoll
