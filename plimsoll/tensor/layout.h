// How a tensor's elements lie in memory. Logical indices are always Keras's (channels last); a
// layout says where an element is stored. Two families are enough: row-major, and channels in
// blocks, where a tensor of logical shape (N, spatial…, C) is stored as (N, C / block, spatial…,
// block).
#pragma once

#include <cstdint>

#include "plimsoll/tensor/shape.h"

namespace plimsoll {

struct Layout {
  int32_t channel_block = 0;  // 0: row-major; else C is a multiple of this

  static constexpr Layout plain() { return {}; }
  static constexpr Layout blocked(int32_t block) { return {block}; }

  bool is_plain() const { return channel_block == 0; }
  bool operator==(const Layout&) const = default;
};

// The layout of a tensor with channels, as the four loops that any kernel over channels needs:
// element (o, k, i, lane) is at ((o * blocks + k) * inner + i) * lanes + lane and belongs to
// channel k * lanes + lane.
struct ChannelView {
  int64_t outer = 1;   // batch (blocked), or batch and spatial (plain)
  int64_t blocks = 1;  // groups of channels
  int64_t inner = 1;   // spatial positions (blocked), or 1
  int64_t lanes = 1;   // channels that lie side by side

  static ChannelView of(const Shape& shape, Layout layout);
  int64_t channels() const { return blocks * lanes; }
};

// The position in memory, in elements, of the element with row-major index `logical`.
int64_t offset_of(int64_t logical, const Shape& shape, Layout layout);

}  // namespace plimsoll
