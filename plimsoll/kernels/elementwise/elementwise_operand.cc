#include "plimsoll/kernels/elementwise/elementwise_operand.h"

#include <algorithm>
#include <utility>

namespace plimsoll::kernels {

ElementwiseOperand::Mode ElementwiseOperand::choose(const BroadcastView& view, DType dtype,
                                                    int64_t tile) {
  const std::vector<BroadcastView::Dimension>& dimensions = view.dimensions;
  const BroadcastView::Dimension& row = dimensions.back();
  const bool is_float = dtype == DType::float32;
  if (dimensions.size() == 1) {
    if (row.stride == 0) return Mode::scalar;
    return is_float ? Mode::direct : Mode::expanded;
  }
  if (row.stride == 0 && tile > 0 && row.size % tile == 0) return Mode::scalar_in_tile;
  if (dimensions.size() == 2 && dimensions[0].stride == 0) {
    if (is_float && row.size >= kShortRow) return Mode::wrapped;
    if (row.size <= tile) return Mode::repeated;
  }
  return Mode::expanded;
}

ElementwiseOperand::ElementwiseOperand(BroadcastView view, DType dtype, int64_t tile,
                                       int64_t elements)
    : view_(std::move(view)),
      element_bytes_(size_of(dtype)),
      load_(tile_load(dtype)),
      mode_(choose(view_, dtype, tile)),
      row_(view_.dimensions.back().size),
      buffer_floats_(floats_needed(tile, elements)) {}

int64_t ElementwiseOperand::floats_needed(int64_t tile, int64_t elements) const {
  switch (mode_) {
    case Mode::direct:
      return 0;
    case Mode::scalar:
    case Mode::scalar_in_tile:
      return kScalarFloats;
    case Mode::repeated:  // a tile may begin anywhere in the first period
      return std::min(elements, tile % row_ == 0 ? tile : row_ - 1 + tile);
    default:
      return std::min(elements, tile);
  }
}

void ElementwiseOperand::prepare(const std::byte* input, float* buffer) const {
  if (mode_ == Mode::scalar) {
    load_(input, 1, buffer);
    std::fill_n(buffer + 1, kScalarFloats - 1, buffer[0]);
  } else if (mode_ == Mode::repeated) {
    int64_t filled = std::min(row_, buffer_floats_);
    load_(input, filled, buffer);
    while (filled < buffer_floats_) {
      const int64_t more = std::min(filled, buffer_floats_ - filled);
      std::copy_n(buffer, more, buffer + filled);
      filled += more;
    }
  }
}

const float* ElementwiseOperand::read(const std::byte* input, int64_t first, int64_t count,
                                      float* buffer) const {
  const float* floats = reinterpret_cast<const float*>(input);
  switch (mode_) {
    case Mode::direct:
      return floats + first;
    case Mode::scalar:
      return buffer;
    case Mode::repeated:
      return buffer + first % row_;
    case Mode::wrapped:
      if (first % row_ + count <= row_) return floats + first % row_;
      break;
    case Mode::scalar_in_tile:
      count = std::min(count, kScalarFloats);
      break;
    case Mode::expanded:
      break;
  }
  expand(input, first, count, buffer);
  if (mode_ == Mode::scalar_in_tile) std::fill(buffer + count, buffer + kScalarFloats, buffer[0]);
  return buffer;
}

void ElementwiseOperand::expand(const std::byte* input, int64_t first, int64_t count,
                                float* to) const {
  for_each_run(view_, first, count, [&](int64_t offset, int64_t run, int64_t stride) {
    load_(input + offset * element_bytes_, stride == 0 ? 1 : run, to);
    if (stride == 0) std::fill_n(to + 1, run - 1, to[0]);
    to += run;
  });
}

}  // namespace plimsoll::kernels
