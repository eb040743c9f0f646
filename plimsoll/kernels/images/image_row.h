// The inner loops of resizing decoded images.
#pragma once

#include <cstdint>
#include <span>

namespace plimsoll::kernels {

// An output column lies between a pixel of the row and the next one.
struct StretchColumn {
  int64_t at = 0;   // the byte where the first of the two begins
  float share = 0;  // of the second
};

// One row of bytes to floats, a pixel of `channels` for each column. Both pixels of a
// column lie within the row.
void stretch_image_row(std::span<const uint8_t> row, std::span<const StretchColumn> columns,
                       int64_t channels, float* into);

// into[i] = top[i] + (bottom[i] - top[i]) * share
void blend_image_rows(const float* top, const float* bottom, float share, int64_t size,
                      float* into);

}  // namespace plimsoll::kernels
