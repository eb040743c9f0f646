#include "plimsoll/data/images/transform_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace plimsoll {
namespace {

// (column, row) becomes by * (column, row) + plus.
struct Matrix {
  std::array<std::array<double, 2>, 2> by = {{{1, 0}, {0, 1}}};
  std::array<double, 2> plus = {0, 0};
};

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix product{.plus = a.plus};
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 2; ++j) {
      product.by[i][j] = a.by[i][0] * b.by[0][j] + a.by[i][1] * b.by[1][j];
      product.plus[i] += a.by[i][j] * b.plus[j];
    }
  return product;
}

Matrix moved(double columns, double rows) {
  return {.plus = {columns, rows}};
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

Matrix about_origin(const ImageTransform& transform) {
  const double angle = radians(transform.rotation), shear = radians(transform.shear);
  const Matrix turn{
      .by = {{{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}}}};
  const Matrix lean{.by = {{{1, -std::sin(shear)}, {0, std::cos(shear)}}}};
  const Matrix zoom{.by = {{{transform.column_zoom, 0}, {0, transform.row_zoom}}}};
  return turn * moved(transform.column_shift, transform.row_shift) * lean * zoom;
}

struct Limits {
  float low = 0, high = 0;
};

// Computed in lanes that do not wait for each other.
Limits limits_of(const float* image, int64_t elements) {
  constexpr int64_t kLanes = 8;
  std::array<float, kLanes> low, high;
  low.fill(image[0]);
  high.fill(image[0]);
  int64_t i = 0;
  for (; i + kLanes <= elements; i += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const float value = image[i + static_cast<int64_t>(lane)];
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
    }
  for (; i < elements; ++i) {
    low[0] = std::min(low[0], image[i]);
    high[0] = std::max(high[0], image[i]);
  }
  return {std::ranges::min(low), std::ranges::max(high)};
}

float clipped(float value, float low, float high) {
  value = value > low ? value : low;
  return value < high ? value : high;
}

// Cut to a whole number from 0 to 255.
float whole_byte(float value) {
  return static_cast<float>(static_cast<int>(clipped(value, 0, 255)));
}

template <int64_t kChannels>
void mirror_row(const float* row, int64_t width, float* into) {
  for (int64_t x = 0; x < width; ++x)
    for (int64_t c = 0; c < kChannels; ++c)
      into[x * kChannels + c] = row[(width - 1 - x) * kChannels + c];
}

void recolor(float* image, const ImageShape& shape, const ImageTransform& transform) {
  if (transform.channel_shift) shift_channels(image, shape.elements(), *transform.channel_shift);
  if (transform.brightness) scale_brightness(image, shape, *transform.brightness);
}

}  // namespace

bool ImageTransform::is_affine() const {
  return rotation != 0 || column_shift != 0 || row_shift != 0 || shear != 0 || column_zoom != 1 ||
         row_zoom != 1;
}

AffineMap affine_map(const ImageTransform& transform, const ImageShape& shape) {
  const double last_column = static_cast<double>(shape.width - 1);
  const double last_row = static_cast<double>(shape.height - 1);
  Matrix flip;
  if (transform.flip_horizontal) {
    flip.by[0][0] = -1;
    flip.plus[0] = last_column;
  }
  if (transform.flip_vertical) {
    flip.by[1][1] = -1;
    flip.plus[1] = last_row;
  }
  const Matrix map = moved(last_column / 2, last_row / 2) * about_origin(transform) *
                     moved(-last_column / 2, -last_row / 2) * flip;
  return {.y_of = {map.by[1][1], map.by[1][0], map.plus[1]},
          .x_of = {map.by[0][1], map.by[0][0], map.plus[0]}};
}

void shift_channels(float* image, int64_t elements, float shift) {
  const auto [low, high] = limits_of(image, elements);
  for (int64_t i = 0; i < elements; ++i) image[i] = clipped(image[i] + shift, low, high);
}

void mirror_columns(float* image, const ImageShape& shape) {
  const int64_t channels = shape.channels, row = shape.width * channels;
  std::vector<float> mirrored(static_cast<size_t>(row));
  for (int64_t y = 0; y < shape.height; ++y, image += row) {
    if (channels == 3)
      mirror_row<3>(image, shape.width, mirrored.data());
    else
      for (int64_t x = 0; x < shape.width; ++x)
        std::copy_n(image + (shape.width - 1 - x) * channels, channels,
                    mirrored.data() + x * channels);
    std::copy_n(mirrored.data(), row, image);
  }
}

void mirror_rows(float* image, const ImageShape& shape) {
  const int64_t row = shape.width * shape.channels;
  for (int64_t y = 0; y < shape.height / 2; ++y)
    std::swap_ranges(image + y * row, image + (y + 1) * row, image + (shape.height - 1 - y) * row);
}

void scale_brightness(float* image, const ImageShape& shape, float factor) {
  const int64_t elements = shape.elements();
  const auto [low, high] = limits_of(image, elements);
  const float range = high - low, to_bytes = range > 0 ? 255 / range : 0;
  const bool is_beyond = low < 0 || high > 255;
  if (is_beyond)
    for (int64_t i = 0; i < elements; ++i) image[i] = (image[i] - low) * to_bytes;
  if (shape.channels == 4)
    for (int64_t i = 0; i < elements; ++i)
      image[i] = whole_byte(whole_byte(image[i]) * (i % 4 == 3 ? 1 : factor));
  else
    for (int64_t i = 0; i < elements; ++i) image[i] = whole_byte(whole_byte(image[i]) * factor);
  if (is_beyond)
    for (int64_t i = 0; i < elements; ++i) image[i] = image[i] / 255 * range + low;
}

void transform_in_place(float* image, const ImageShape& shape, const ImageTransform& transform) {
  if (transform.flip_horizontal) mirror_columns(image, shape);
  if (transform.flip_vertical) mirror_rows(image, shape);
  recolor(image, shape, transform);
}

void transform_image(const float* from, const ImageShape& shape, const ImageTransform& transform,
                     ImageFill fill, float constant, float* into) {
  if (!transform.is_affine()) {
    std::copy_n(from, shape.elements(), into);
    return transform_in_place(into, shape, transform);
  }
  sample_affine(from, shape, affine_map(transform, shape), fill, constant, into);
  recolor(into, shape, transform);
}

}  // namespace plimsoll
