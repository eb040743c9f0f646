// Where some of the records of a file begin: one in every few KiB, from which the others are found
// by reading on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plimsoll {

class SparseOffsets {
 public:
  struct Point {
    int64_t record, offset;
  };

  // Called for every record, in order; the first is kept, and then one every 4 KiB.
  void add(int64_t record, int64_t offset) {
    constexpr int64_t kStrideBytes = 4096;
    if (points_.empty() || offset - points_.back().offset >= kStrideBytes)
      points_.push_back({record, offset});
  }

  // The last point at or before the record, which is not before the first one.
  const Point& before(int64_t record) const { return *(after(record) - 1); }
  // The offset of the next point, before which the record begins; `end` if there is none.
  int64_t next(int64_t record, int64_t end) const {
    const auto point = after(record);
    return point == points_.end() ? end : point->offset;
  }

  // The memory that it takes.
  int64_t bytes() const { return static_cast<int64_t>(points_.capacity() * sizeof(Point)); }

 private:
  std::vector<Point>::const_iterator after(int64_t record) const {
    return std::ranges::upper_bound(points_, record, {}, &Point::record);
  }

  std::vector<Point> points_;
};

}  // namespace plimsoll
