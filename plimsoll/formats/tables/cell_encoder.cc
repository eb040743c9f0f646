#include "plimsoll/formats/tables/cell_encoder.h"

#include <fmt/format.h>

#include <cmath>

namespace plimsoll {

std::string plain_number(double number) {
  constexpr double kMostDigits = 1e15;
  if (std::abs(number) < kMostDigits && number == std::trunc(number))
    return fmt::format("{:.0f}", number);
  return fmt::format("{}", number);
}

std::string CellEncoder::written(double number) const {
  return plain_number(number);
}

}  // namespace plimsoll
