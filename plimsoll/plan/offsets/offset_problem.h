// Buffers that need a place in one arena, and the places they get.
#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll::plan {

// Bytes that are needed in the moments first, first + 1, ..., last.
struct Buffer {
  int64_t bytes = 0;
  int32_t first = 0;
  int32_t last = 0;
};

struct OffsetProblem {
  std::vector<Buffer> buffers = {};
  int64_t alignment = 64;  // of every offset; sizes are rounded up to it
};

struct OffsetSolution {
  std::vector<int64_t> offsets = {};  // one for each buffer
  int64_t arena_bytes = 0;            // the end of the highest buffer, its size rounded up
};

}  // namespace plimsoll::plan
