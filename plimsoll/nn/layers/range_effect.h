// What a layer does to the range of the numbers that go into it.
#pragma once

#include <cstdint>

namespace plimsoll {

struct RangeEffect {
  enum class Kind {
    other,       // has an effect that is not tracked
    keeps,       // moves, picks or mixes them: numbers from 0 to 255 stay in that range
    scales,      // makes x * scale + offset of each
    multiplies,  // by weights
    looks_up,    // takes them as the row numbers of a table
    normalizes,  // subtracts a mean from each and divides by a deviation, both known beforehand
    normalizes_batch,  // the same, by the statistics of the batch while it trains
    activates,         // applies an activation, which may be linear
  };

  Kind kind = Kind::other;
  double scale = 1, offset = 0;
  int64_t rows = 0;  // of the table

  static constexpr RangeEffect keeps() { return {.kind = Kind::keeps}; }
  static constexpr RangeEffect scales(double scale, double offset) {
    return {.kind = Kind::scales, .scale = scale, .offset = offset};
  }
  static constexpr RangeEffect normalizes() { return {.kind = Kind::normalizes}; }
  static constexpr RangeEffect normalizes_batch() { return {.kind = Kind::normalizes_batch}; }
  static constexpr RangeEffect activates() { return {.kind = Kind::activates}; }
  static constexpr RangeEffect multiplies() { return {.kind = Kind::multiplies}; }
  static constexpr RangeEffect looks_up(int64_t rows) {
    return {.kind = Kind::looks_up, .rows = rows};
  }
};

}  // namespace plimsoll
