#include "plimsoll/tensor/layout.h"

namespace plimsoll {

ChannelView ChannelView::of(const Shape& shape, Layout layout) {
  const int rank = shape.rank();
  if (rank == 0) return {};
  if (layout.is_plain()) return {shape.elements(0, rank - 1), 1, 1, shape.back()};
  return {shape[0], shape.back() / layout.channel_block, shape.elements(1, rank - 1),
          layout.channel_block};
}

int64_t offset_of(int64_t logical, const Shape& shape, Layout layout) {
  if (layout.is_plain()) return logical;
  const ChannelView view = ChannelView::of(shape, layout);
  const int64_t channel = logical % view.channels();
  const int64_t position = logical / view.channels();
  const int64_t outer = position / view.inner, inner = position % view.inner;
  return ((outer * view.blocks + channel / view.lanes) * view.inner + inner) * view.lanes +
         channel % view.lanes;
}

}  // namespace plimsoll
