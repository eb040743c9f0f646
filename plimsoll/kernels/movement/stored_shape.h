// Moving and reducing tensors whose channels lie in blocks: the same over the dimensions in the
// order of memory.
#pragma once

#include <cstdint>

#include "plimsoll/tensor/layout.h"

namespace plimsoll::kernels {

// The dimensions as they lie: (N, C / block, spatial…, block) where channels are in blocks.
inline Shape stored_shape(const Shape& shape, Layout layout) {
  if (layout.is_plain()) return shape;
  Shape stored = shape.with(1, shape.back() / layout.channel_block);
  stored[stored.rank() - 1] = layout.channel_block;
  return stored;
}

// The position of a logical axis in the stored shape; for the channels, that of the blocks.
inline int stored_axis(int axis, const Shape& shape, Layout layout) {
  if (layout.is_plain() || axis == 0) return axis;
  return axis == shape.rank() - 1 ? 1 : axis + 1;
}

// One number per axis, in the order of memory; those of channels count blocks, and `inside` is that
// of the channels of a block.
template <class Numbers, class Divide>
Numbers stored_numbers(const Numbers& numbers, Layout layout,
                       const typename Numbers::value_type& inside, const Divide& divide) {
  if (layout.is_plain()) return numbers;
  Numbers stored = numbers;
  stored.insert(stored.begin() + 1, divide(numbers.back(), layout.channel_block));
  stored.back() = inside;
  return stored;
}

}  // namespace plimsoll::kernels
