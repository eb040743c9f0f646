#include "plimsoll/data/images/affine_image.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/kernels/images/affine_line.h"

namespace plimsoll {
namespace {

double reflected(double at, double size) {
  const double turn = 2 * size;
  at -= turn * std::floor(at / turn);
  return at >= size ? turn - 1 - at : at;
}

// Wraps `at` into [0, last], with a period of `last`.
double wrapped(double at, double last) {
  if (last < 1) return 0;
  if (at < 0) return at + last * (std::floor(-at / last) + 1);
  return at > last ? at - last * std::floor(at / last) : at;
}

// Moves a place into the image; -1 if the constant is there instead.
double inside(double at, int64_t size, ImageFill fill) {
  const auto last = static_cast<double>(size - 1);
  if (at >= 0 && at <= last) return at;
  switch (fill) {
    case ImageFill::nearest:
      return std::clamp(at, 0.0, last);
    case ImageFill::reflect:
      return reflected(at, static_cast<double>(size));
    case ImageFill::wrap:
      return wrapped(at, last);
    case ImageFill::constant:
      break;
  }
  return -1;
}

// Two neighbours on an axis.
struct Pair {
  int64_t lower = 0, upper = 0;
  float share = 0;  // of the upper one
};

Pair pair_at(double at, int64_t size) {
  const double floor = std::floor(at);
  const auto lower = static_cast<int64_t>(floor);
  return {std::clamp<int64_t>(lower, 0, size - 1), std::clamp<int64_t>(lower + 1, 0, size - 1),
          static_cast<float>(at - floor)};
}

class Sampler {
 public:
  Sampler(const float* from, const ImageShape& shape, const AffineMap& map, ImageFill fill,
          float constant)
      : from_(from), shape_(shape), map_(map), fill_(fill), constant_(constant) {}

  // The columns whose places have all their neighbours are one run, for places lie on a line.
  void sample_row(int64_t row, float* into) const {
    const kernels::AffineLine line = line_of(row);
    int64_t begin = 0, end = shape_.width;
    while (begin < end && !has_neighbours(line, begin)) sample(line, begin++, into);
    while (end > begin && !has_neighbours(line, end - 1)) sample(line, --end, into);
    kernels::sample_affine_line({from_, shape_.height, shape_.width, shape_.channels}, line, begin,
                                end - begin, into + begin * shape_.channels);
  }

 private:
  int64_t row_elements() const { return shape_.width * shape_.channels; }

  static double place(double at, double step, int64_t i) {
    return at + step * static_cast<double>(i);
  }

  kernels::AffineLine line_of(int64_t row) const {
    const auto y = static_cast<double>(row);
    return {map_.y_of[0] * y + map_.y_of[2], map_.x_of[0] * y + map_.x_of[2], map_.y_of[1],
            map_.x_of[1]};
  }

  bool has_neighbours(const kernels::AffineLine& line, int64_t column) const {
    const double y = place(line.y, line.y_step, column), x = place(line.x, line.x_step, column);
    return y >= 0 && y < static_cast<double>(shape_.height - 1) && x >= 0 &&
           x < static_cast<double>(shape_.width - 1);
  }

  // A pixel whose place may lie anywhere.
  void sample(const kernels::AffineLine& line, int64_t column, float* into) const {
    into += column * shape_.channels;
    const double y = inside(place(line.y, line.y_step, column), shape_.height, fill_);
    const double x = inside(place(line.x, line.x_step, column), shape_.width, fill_);
    if (y <= -1 || x <= -1)
      std::fill_n(into, shape_.channels, constant_);
    else
      blend(pair_at(y, shape_.height), pair_at(x, shape_.width), into);
  }

  void blend(const Pair& y, const Pair& x, float* into) const {
    const float *top = from_ + y.lower * row_elements(), *bottom = from_ + y.upper * row_elements();
    const int64_t left = x.lower * shape_.channels, right = x.upper * shape_.channels;
    for (int64_t c = 0; c < shape_.channels; ++c) {
      const float above = top[left + c] + (top[right + c] - top[left + c]) * x.share;
      const float below = bottom[left + c] + (bottom[right + c] - bottom[left + c]) * x.share;
      into[c] = above + (below - above) * y.share;
    }
  }

  const float* from_;
  ImageShape shape_;
  AffineMap map_;
  ImageFill fill_;
  float constant_;
};

}  // namespace

ImageFill image_fill(const std::string& name) {
  if (name == "nearest") return ImageFill::nearest;
  if (name == "constant") return ImageFill::constant;
  if (name == "reflect") return ImageFill::reflect;
  if (name == "wrap") return ImageFill::wrap;
  throw InvalidArgument("fill_mode: expected nearest, constant, reflect or wrap, found '" + name +
                        "'");
}

void sample_affine(const float* from, const ImageShape& shape, const AffineMap& map, ImageFill fill,
                   float constant, float* into) {
  const Sampler sampler(from, shape, map, fill, constant);
  for (int64_t row = 0; row < shape.height; ++row)
    sampler.sample_row(row, into + row * shape.width * shape.channels);
}

}  // namespace plimsoll
