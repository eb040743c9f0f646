#include "plimsoll/kernels/images/image_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/images/image_row.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
using PixelTag = hn::FixedTag<float, 4>;

// Four bytes; of a pixel of three channels the last is the next one's.
HWY_INLINE hn::Vec<PixelTag> load_pixel(const uint8_t* at) {
  const auto bytes = hn::LoadU(hn::FixedTag<uint8_t, 4>(), at);
  return hn::ConvertTo(PixelTag(), hn::PromoteTo(hn::FixedTag<int32_t, 4>(), bytes));
}

// Computes the columns that may be read and written four channels at a time, however many channels
// they have; returns how many these were.
template <int kChannels>
size_t stretch_whole_vectors(const uint8_t* HWY_RESTRICT row, size_t row_bytes,
                             const StretchColumn* HWY_RESTRICT columns, size_t count,
                             float* HWY_RESTRICT into) {
  const PixelTag d;
  size_t whole = count > 0 ? count - 1 : 0;
  while (whole > 0 && static_cast<size_t>(columns[whole - 1].at) + kChannels + 4 > row_bytes)
    --whole;
  for (size_t i = 0; i < whole; ++i, into += kChannels) {
    const uint8_t* pixel = row + columns[i].at;
    const auto left = load_pixel(pixel), right = load_pixel(pixel + kChannels);
    const auto share = hn::Set(d, columns[i].share);
    hn::StoreU(hn::MulAdd(hn::Sub(right, left), share, left), d, into);
  }
  return whole;
}
#endif

void stretch_row(const uint8_t* row, [[maybe_unused]] size_t row_bytes,
                 const StretchColumn* columns, size_t count, int64_t channels, float* into) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  if (channels == 3) i = stretch_whole_vectors<3>(row, row_bytes, columns, count, into);
  if (channels == 4) i = stretch_whole_vectors<4>(row, row_bytes, columns, count, into);
#endif
  into += static_cast<int64_t>(i) * channels;
  for (; i < count; ++i) {
    const uint8_t* pixel = row + columns[i].at;
    for (int64_t c = 0; c < channels; ++c) {
      const float left = pixel[c], right = pixel[c + channels];
      *into++ = left + (right - left) * columns[i].share;
    }
  }
}

void blend_rows(const float* HWY_RESTRICT top, const float* HWY_RESTRICT bottom, float share,
                int64_t size, float* HWY_RESTRICT into) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto shares = hn::Set(d, share);
  int64_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto upper = hn::LoadU(d, top + i), lower = hn::LoadU(d, bottom + i);
    hn::StoreU(hn::MulAdd(hn::Sub(lower, upper), shares, upper), d, into + i);
  }
  for (; i < size; ++i) into[i] = top[i] + (bottom[i] - top[i]) * share;
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

HWY_EXPORT(stretch_row);
HWY_EXPORT(blend_rows);

}  // namespace

void stretch_image_row(std::span<const uint8_t> row, std::span<const StretchColumn> columns,
                       int64_t channels, float* into) {
  HWY_DYNAMIC_DISPATCH(stretch_row)
  (row.data(), row.size(), columns.data(), columns.size(), channels, into);
}

void blend_image_rows(const float* top, const float* bottom, float share, int64_t size,
                      float* into) {
  HWY_DYNAMIC_DISPATCH(blend_rows)(top, bottom, share, size, into);
}

}  // namespace plimsoll::kernels
#endif
