// PartSizes: the samples of a batch spread evenly over parts: the first of them have one more.
#pragma once

#include <algorithm>
#include <cstdint>

namespace plimsoll {

struct PartSizes {
  // No part has more than `most_in_part` samples; 0: the batch is one part.
  PartSizes(int64_t batch_size, int64_t most_in_part)
      : batch(batch_size),
        most(most_in_part == 0 ? batch_size : most_in_part),
        count(most_in_part == 0 ? 1 : (batch_size + most_in_part - 1) / most_in_part),
        large(count == 0 ? 0 : (batch_size + count - 1) / count),
        large_count(count == 0 ? 0 : batch_size - count * (large - 1)) {}

  int64_t size(int64_t part) const { return part < large_count ? large : large - 1; }
  int64_t first(int64_t part) const {
    return part * large - std::max<int64_t>(0, part - large_count);
  }
  bool is_even() const { return large_count == count; }

  int64_t batch, most, count, large, large_count;
};

}  // namespace plimsoll
