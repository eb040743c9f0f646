// The windows of a pooling, and the index that a maximum keeps for its gradient.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/window_axis.h"

namespace plimsoll::kernels {

struct PoolingProblem {
  WindowAxis rows, columns;
  // Maximum only: negative results become 0, and the index of what is not positive is
  // kNoPosition, so that no gradient flows there.
  bool relu = false;
};

// The most positions of a window that an index of one byte can number; one less with `relu`.
inline constexpr int64_t kMostIndexedPositions = 256;
inline constexpr uint8_t kNoPosition = 255;

}  // namespace plimsoll::kernels
