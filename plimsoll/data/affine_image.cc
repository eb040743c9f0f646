#include "plimsoll/data/affine_image.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

double reflected(double at, double size) {
  const double turn = 2 * size;
  at -= turn * std::floor(at / turn);
  return at >= size ? turn - 1 - at : at;
}

// In a period of size - 1.
double wrapped(double at, double last) {
  if (last < 1) return 0;
  if (at < 0) return at + last * (std::floor(-at / last) + 1);
  return at > last ? at - last * std::floor(at / last) : at;
}

// Into the image; negative by one or more where there is only the constant.
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

// The number of channels is known when compiling, but for 0: then it is the shape's.
template <int64_t kChannels>
class Sampler {
 public:
  Sampler(const float* from, const ImageShape& shape) : from_(from), shape_(shape) {}

  int64_t channels() const { return kChannels > 0 ? kChannels : shape_.channels; }

  void blend(const Pair& y, const Pair& x, float* into) const {
    const float *top = row(y.lower), *bottom = row(y.upper);
    const int64_t left = x.lower * channels(), right = x.upper * channels();
    for (int64_t c = 0; c < channels(); ++c) {
      const float above = top[left + c] + (top[right + c] - top[left + c]) * x.share;
      const float below = bottom[left + c] + (bottom[right + c] - bottom[left + c]) * x.share;
      into[c] = above + (below - above) * y.share;
    }
  }

  // A pixel whose place may lie outside.
  void sample(double y, double x, ImageFill fill, float constant, float* into) const {
    y = inside(y, shape_.height, fill);
    x = inside(x, shape_.width, fill);
    if (y <= -1 || x <= -1)
      std::fill_n(into, channels(), constant);
    else
      blend(pair_at(y, shape_.height), pair_at(x, shape_.width), into);
  }

  void sample_all(const AffineMap& map, ImageFill fill, float constant, float* into) const {
    const auto last_y = static_cast<double>(shape_.height - 1);
    const auto last_x = static_cast<double>(shape_.width - 1);
    for (int64_t row = 0; row < shape_.height; ++row) {
      const double y0 = map.y_of[0] * static_cast<double>(row) + map.y_of[2];
      const double x0 = map.x_of[0] * static_cast<double>(row) + map.x_of[2];
      for (int64_t column = 0; column < shape_.width; ++column, into += channels()) {
        const double y = y0 + map.y_of[1] * static_cast<double>(column);
        const double x = x0 + map.x_of[1] * static_cast<double>(column);
        if (y >= 0 && y < last_y && x >= 0 && x < last_x)
          blend(next_to(y), next_to(x), into);
        else
          sample(y, x, fill, constant, into);
      }
    }
  }

 private:
  const float* row(int64_t y) const { return from_ + y * shape_.width * channels(); }

  static Pair next_to(double at) {
    const auto lower = static_cast<int64_t>(at);
    return {lower, lower + 1, static_cast<float>(at - static_cast<double>(lower))};
  }

  const float* from_;
  ImageShape shape_;
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
  if (shape.channels == 3) return Sampler<3>(from, shape).sample_all(map, fill, constant, into);
  if (shape.channels == 1) return Sampler<1>(from, shape).sample_all(map, fill, constant, into);
  if (shape.channels == 4) return Sampler<4>(from, shape).sample_all(map, fill, constant, into);
  Sampler<0>(from, shape).sample_all(map, fill, constant, into);
}

}  // namespace plimsoll
