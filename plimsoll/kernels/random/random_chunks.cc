#include "plimsoll/kernels/random/random_chunks.h"

#include <fmt/format.h>

#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll::kernels {

// Fewer elements than this are not worth another thread.
constexpr int64_t kThreadElements = 16384;

RandomChunks::RandomChunks(const Shape& shape, Layout layout) {
  if (shape.rank() > 0) {
    rows_ = shape[0];
    row_elements_ = shape.elements(1, shape.rank());
  }
  row_chunks_ = (row_elements_ + kChunk - 1) / kChunk;
  grain_ = kThreadElements / std::clamp<int64_t>(row_elements_, 1, kChunk);
  if (layout.is_plain() || shape.rank() < 2) return;
  if (layout.channel_block % 4 != 0)
    throw Error(fmt::format("random: blocks of {} channels, expected a multiple of 4",
                            layout.channel_block));
  const ChannelView view = ChannelView::of(shape, layout);
  block_quads_ = view.lanes / 4;
  blocks_ = view.blocks;
  inner_ = view.inner;
}

void RandomChunks::fill_quads(int64_t first, int64_t count, uint32_t* quads) const {
  if (block_quads_ == 0) {
    for (int64_t i = 0; i < count; ++i) quads[i] = static_cast<uint32_t>(first + i);
    return;
  }
  // Memory is (block, position, quad of the block); logically it is (position, block, quad).
  int64_t quad = first % block_quads_;
  int64_t position = first / block_quads_ % inner_;
  int64_t block = first / block_quads_ / inner_;
  for (int64_t i = 0; i < count; ++i) {
    quads[i] = static_cast<uint32_t>((position * blocks_ + block) * block_quads_ + quad);
    if (++quad < block_quads_) continue;
    quad = 0;
    if (++position < inner_) continue;
    position = 0;
    ++block;
  }
}

}  // namespace plimsoll::kernels
