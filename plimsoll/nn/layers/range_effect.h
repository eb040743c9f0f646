// What a layer does to the range of the numbers that go into it.
#pragma once

#include <cstdint>

namespace plimsoll {

struct RangeEffect {
  enum class Kind {
    other,       // normalises them, or has an effect that is not tracked
    keeps,       // moves, picks or mixes them: numbers from 0 to 255 stay in that range
    scales,      // makes x * scale + offset of each
    multiplies,  // by weights
    looks_up,    // takes them as the row numbers of a table
  };

  Kind kind = Kind::other;
  double scale = 1, offset = 0;
  int64_t rows = 0;  // of the table

  static constexpr RangeEffect keeps() { return {.kind = Kind::keeps}; }
  static constexpr RangeEffect scales(double scale, double offset) {
    return {.kind = Kind::scales, .scale = scale, .offset = offset};
  }
  static constexpr RangeEffect multiplies() { return {.kind = Kind::multiplies}; }
  static constexpr RangeEffect looks_up(int64_t rows) {
    return {.kind = Kind::looks_up, .rows = rows};
  }
};

}  // namespace plimsoll
