// Depth, height and width; one number means all three.
#pragma once

#include <array>
#include <cstdint>

namespace plimsoll {

class Fields;

struct Size3D {
  constexpr Size3D(int64_t all) : depth(all), height(all), width(all) {}
  constexpr Size3D(int64_t depth_in, int64_t height_in, int64_t width_in)
      : depth(depth_in), height(height_in), width(width_in) {}

  constexpr std::array<int64_t, 3> values() const { return {depth, height, width}; }
  constexpr bool operator==(const Size3D&) const = default;

  int64_t depth, height, width;
};

// As Fields::with.
void tell_size(Fields& fields, const char* key, Size3D& value);

}  // namespace plimsoll
