// The order in which a search tries blocks, in each of its rounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plimsoll/plan/offsets/sections.h"

namespace plimsoll::plan {

// A rank for each block, the lower the earlier. Four rounds each prefer wide blocks, those that
// meet the most bytes, large ones, and those of large area; every later round has a mixture of its
// own that looks random.
std::vector<int32_t> rank_blocks(std::span<const Block> blocks, int32_t round);

}  // namespace plimsoll::plan
