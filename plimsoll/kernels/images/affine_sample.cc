#include <algorithm>
#include <cmath>

#include "plimsoll/kernels/images/affine_transform.h"

namespace plimsoll::kernels {
namespace {

// Whole numbers of `size` in x, towards zero.
float whole(float x, float size) {
  return std::trunc(x / size);
}

// The order of operations is TensorFlow's: a rounding more or less decides which pixel is taken.
float reflected(float x, float length) {
  const float twice = 2 * length;
  if (x < 0) {
    x = twice * whole(-x, twice) + x;
    return x < -length ? x + twice : -x - 1;
  }
  if (x <= length - 1) return x;
  x -= twice * whole(x, twice);
  return x >= length ? twice - x - 1 : x;
}

float wrapped(float x, float length) {
  if (x < 0) return x + length * (whole(-x, length - 1) + 1);
  if (x > length - 1) return x - length * whole(x, length - 1);
  return x;
}

// The position inside the image whose value is used for position `x` of an axis.
float inside(float x, int64_t count, FillMode mode) {
  const auto length = static_cast<float>(count);
  if (mode == FillMode::constant) return x;
  if (count <= 1) return 0;
  if (mode == FillMode::reflect) x = reflected(x, length);
  if (mode == FillMode::wrap) x = wrapped(x, length);
  return std::clamp(x, 0.0f, length - 1);
}

int64_t pixel_at(const AffineProblem& p, float row, float column) {
  const bool there = row >= 0 && row < static_cast<float>(p.input[0]) && column >= 0 &&
                     column < static_cast<float>(p.input[1]);
  return there ? static_cast<int64_t>(row) * p.input[1] + static_cast<int64_t>(column) : -1;
}

}  // namespace

AffineSample affine_sample(const AffineProblem& p, const float* t, int64_t row_index,
                           int64_t column_index) {
  const auto row = static_cast<float>(row_index), column = static_cast<float>(column_index);
  const float projection = t[6] * column + t[7] * row + 1;
  const float x = inside((t[0] * column + t[1] * row + t[2]) / projection, p.input[1], p.fill_mode);
  const float y = inside((t[3] * column + t[4] * row + t[5]) / projection, p.input[0], p.fill_mode);
  if (projection == 0 || !std::isfinite(x) || !std::isfinite(y)) return {1, {{{-1, 1.0f}}}};
  if (!p.bilinear) return {1, {{{pixel_at(p, std::round(y), std::round(x)), 1.0f}}}};
  const float top = std::floor(y), left = std::floor(x);
  const float down = y - top, right = x - left;
  return {4,
          {{{pixel_at(p, top, left), (1 - down) * (1 - right)},
            {pixel_at(p, top, left + 1), (1 - down) * right},
            {pixel_at(p, top + 1, left), down * (1 - right)},
            {pixel_at(p, top + 1, left + 1), down * right}}}};
}

}  // namespace plimsoll::kernels
