#include "plimsoll/kernels/elementwise_operand.h"

#include <algorithm>
#include <utility>

namespace plimsoll::kernels {

ElementwiseOperand::Mode ElementwiseOperand::choose(const BroadcastView& view, DType dtype,
                                                    int64_t tile) {
  const std::vector<BroadcastView::Dimension>& dimensions = view.dimensions;
  const bool is_float = dtype == DType::float32;
  if (dimensions.size() == 1 && dimensions[0].stride == 0) return Mode::repeated;
  if (dimensions.size() == 1 && is_float) return Mode::direct;
  if (dimensions.size() == 2 && dimensions[0].stride == 0) {
    if (dimensions[1].size <= tile) return Mode::repeated;
    if (is_float) return Mode::wrapped;
  }
  return Mode::expanded;
}

ElementwiseOperand::ElementwiseOperand(BroadcastView view, DType dtype, int64_t tile,
                                       int64_t elements)
    : view_(std::move(view)),
      element_bytes_(size_of(dtype)),
      load_(tile_load(dtype)),
      mode_(choose(view_, dtype, tile)),
      period_(view_.dimensions.back().stride == 0 ? 1 : view_.dimensions.back().size) {
  // A tile may begin anywhere in the first period.
  if (mode_ == Mode::repeated) buffer_floats_ = std::min(elements, period_ - 1 + tile);
  if (mode_ == Mode::wrapped || mode_ == Mode::expanded) buffer_floats_ = std::min(elements, tile);
}

void ElementwiseOperand::prepare(const std::byte* input, float* buffer) const {
  if (mode_ != Mode::repeated) return;
  const int64_t period = std::min(period_, buffer_floats_);
  load_(input, period, buffer);
  if (period == 1)
    std::fill_n(buffer, buffer_floats_, buffer[0]);
  else
    for (int64_t i = period; i < buffer_floats_; ++i) buffer[i] = buffer[i - period];
}

const float* ElementwiseOperand::read(const std::byte* input, int64_t first, int64_t count,
                                      float* buffer) const {
  const float* floats = reinterpret_cast<const float*>(input);
  switch (mode_) {
    case Mode::direct:
      return floats + first;
    case Mode::repeated:
      return buffer + first % period_;
    case Mode::wrapped:
      if (first % period_ + count <= period_) return floats + first % period_;
      break;
    case Mode::expanded:
      break;
  }
  expand(input, first, count, buffer);
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
