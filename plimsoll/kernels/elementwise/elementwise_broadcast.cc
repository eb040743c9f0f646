#include "plimsoll/kernels/elementwise/elementwise_broadcast.h"

#include "plimsoll/base/error.h"

namespace plimsoll::kernels {
namespace {

using Dimension = BroadcastView::Dimension;

// Row-major strides of `input` for each dimension of `output`, 0 where it is broadcast.
std::vector<Dimension> row_major(const Shape& input, const Shape& output) {
  std::vector<Dimension> dimensions(static_cast<size_t>(output.rank()));
  int64_t stride = 1;
  for (int i = output.rank() - 1, k = input.rank() - 1; i >= 0; --i, --k) {
    const int64_t size = k >= 0 ? input[k] : 1;
    dimensions[static_cast<size_t>(i)] = {output[i], size == 1 ? 0 : stride};
    stride *= size;
  }
  return dimensions;
}

// (N, spatial…, C) becomes (N, C / block, spatial…, block), as in Layout.
std::vector<Dimension> in_blocks(const std::vector<Dimension>& plain, int64_t block) {
  const Dimension& channels = plain.back();
  std::vector<Dimension> dimensions = {plain.front(),
                                       {channels.size / block, channels.stride * block}};
  dimensions.insert(dimensions.end(), plain.begin() + 1, plain.end() - 1);
  dimensions.push_back({block, channels.stride});
  return dimensions;
}

std::vector<Dimension> merged(const std::vector<Dimension>& dimensions) {
  std::vector<Dimension> result;
  for (const Dimension& inner : dimensions) {
    if (inner.size == 1) continue;
    if (!result.empty() && result.back().stride == inner.stride * inner.size)
      result.back() = {result.back().size * inner.size, inner.stride};
    else
      result.push_back(inner);
  }
  if (result.empty()) result.push_back({1, 0});
  return result;
}

}  // namespace

BroadcastView BroadcastView::of(const Spec& input, Layout input_layout, const Spec& output,
                                Layout output_layout) {
  if (input.shape == output.shape && input_layout == output_layout)
    return {{{output.shape.elements(), 1}}};
  if (!input_layout.is_plain())
    throw Error("elementwise: an input " + input.to_string() +
                " comes in blocks of channels that the output " + output.to_string() +
                " does not have");
  std::vector<Dimension> dimensions = row_major(input.shape, output.shape);
  if (!output_layout.is_plain() && output.shape.rank() > 1)
    dimensions = in_blocks(dimensions, output_layout.channel_block);
  return {merged(dimensions)};
}

}  // namespace plimsoll::kernels
