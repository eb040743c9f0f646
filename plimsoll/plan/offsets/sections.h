// Time cut into sections, as few as are needed to know which buffers meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plimsoll/plan/offsets/offset_problem.h"

namespace plimsoll::plan {

// A buffer whose life is a range of sections instead of moments, both ends inclusive.
struct Block {
  int64_t bytes = 0;
  int32_t left = 0;
  int32_t right = 0;
};

// One block for each buffer; two blocks share a section where the buffers share a moment. Sections
// count from zero without a gap.
std::vector<Block> to_blocks(std::span<const Buffer> buffers);

}  // namespace plimsoll::plan
