// The inner loop of moving, turning and zooming images: bilinear samples along a line.
#pragma once

#include <cstdint>

namespace plimsoll::kernels {

// Sample i is at row y + i * y_step and column x + i * x_step.
struct AffineLine {
  double y = 0, x = 0, y_step = 0, x_step = 0;
};

// Rows from the top, channels together; fewer than 2^31 floats.
struct AffineImage {
  const float* pixels = nullptr;
  int64_t height = 0, width = 0, channels = 0;
};

// Samples [first, first + count). Each is, except for rounding, at a position that has a pixel to
// its right, one below it, and one below that.
void sample_affine_line(const AffineImage& image, const AffineLine& line, int64_t first,
                        int64_t count, float* into);

}  // namespace plimsoll::kernels
