// Height and width; one number means both.
#pragma once

#include <array>
#include <cstdint>

namespace plimsoll {

struct Size2D {
  constexpr Size2D(int64_t both) : height(both), width(both) {}
  constexpr Size2D(int64_t height_in, int64_t width_in) : height(height_in), width(width_in) {}

  constexpr std::array<int64_t, 2> values() const { return {height, width}; }
  constexpr bool operator==(const Size2D&) const = default;

  int64_t height, width;
};

}  // namespace plimsoll
