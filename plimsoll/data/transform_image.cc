#include "plimsoll/data/transform_image.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll {
namespace {

// Of columns and rows, in this order, and what is added.
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
  const auto [least, most] = std::minmax_element(image, image + elements);
  const float low = *least, high = *most;
  for (int64_t i = 0; i < elements; ++i) image[i] = std::clamp(image[i] + shift, low, high);
}

void mirror_columns(float* image, const ImageShape& shape) {
  for (int64_t y = 0; y < shape.height; ++y, image += shape.width * shape.channels)
    for (int64_t x = 0; x < shape.width / 2; ++x)
      std::swap_ranges(image + x * shape.channels, image + (x + 1) * shape.channels,
                       image + (shape.width - 1 - x) * shape.channels);
}

void mirror_rows(float* image, const ImageShape& shape) {
  const int64_t row = shape.width * shape.channels;
  for (int64_t y = 0; y < shape.height / 2; ++y)
    std::swap_ranges(image + y * row, image + (y + 1) * row, image + (shape.height - 1 - y) * row);
}

void scale_brightness(float* image, const ImageShape& shape, float factor) {
  const int64_t elements = shape.elements();
  const auto [least, most] = std::minmax_element(image, image + elements);
  const float low = *least, range = *most - *least;
  const bool is_beyond = low < 0 || *most > 255;
  for (int64_t i = 0; i < elements; ++i) {
    float value = image[i];
    if (is_beyond) value = range > 0 ? (value - low) / range * 255 : 0;
    value = std::trunc(value);
    const bool is_alpha = shape.channels == 4 && i % 4 == 3;
    if (!is_alpha) value = std::trunc(std::clamp(value * factor, 0.0f, 255.0f));
    image[i] = is_beyond ? value / 255 * range + low : value;
  }
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
