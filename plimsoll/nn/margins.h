// How much to add or to cut off before and after, along one axis, two or three.
#pragma once

#include <cstdint>

namespace plimsoll {

class Fields;

struct Margins {
  constexpr Margins(int64_t both) : before(both), after(both) {}
  constexpr Margins(int64_t before_in, int64_t after_in) : before(before_in), after(after_in) {}

  int64_t before, after;
};

// One number means all four, {2, 3} means 2 above and below and 3 left and right.
struct Margins2D {
  constexpr Margins2D(int64_t all) : height(all), width(all) {}
  constexpr Margins2D(Margins height_in, Margins width_in) : height(height_in), width(width_in) {}

  Margins height, width;
};

struct Margins3D {
  constexpr Margins3D(int64_t all) : depth(all), height(all), width(all) {}
  constexpr Margins3D(Margins depth_in, Margins height_in, Margins width_in)
      : depth(depth_in), height(height_in), width(width_in) {}

  Margins depth, height, width;
};

// As Fields::with.
void tell(Fields& fields, const char* key, Margins& value);
void tell(Fields& fields, const char* key, Margins2D& value);
void tell(Fields& fields, const char* key, Margins3D& value);

}  // namespace plimsoll
