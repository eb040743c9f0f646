#include "plimsoll/kernels/images/affine_line.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/images/affine_line.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kMostSamples = 64;  // at a time

// The positions of samples: the element of the pixel to the upper left, and the distance from it.
struct Places {
  int32_t at[kMostSamples];
  float right[kMostSamples], down[kMostSamples];
};

// Rounding may put a sample just beyond the last pixel but one; it is moved back.
inline void find_places(const AffineImage& image, const AffineLine& line, int64_t first,
                        int64_t count, Places& HWY_RESTRICT places) {
  const auto last_top = static_cast<int32_t>(image.height - 2);
  const auto last_left = static_cast<int32_t>(image.width - 2);
  const auto pixel = static_cast<int32_t>(image.channels);
  const auto row = static_cast<int32_t>(image.width) * pixel;
  const double y0 = line.y + line.y_step * static_cast<double>(first);
  const double x0 = line.x + line.x_step * static_cast<double>(first);
  for (int32_t i = 0; i < static_cast<int32_t>(count); ++i) {
    const double y = y0 + line.y_step * i, x = x0 + line.x_step * i;
    const int32_t top = std::max(0, std::min(static_cast<int32_t>(y), last_top));
    const int32_t left = std::max(0, std::min(static_cast<int32_t>(x), last_left));
    places.at[i] = top * row + left * pixel;
    places.down[i] = static_cast<float>(y - top);
    places.right[i] = static_cast<float>(x - left);
  }
}

inline void sample_plain(const float* image, int64_t row_elements, int64_t channels, float right,
                         float down, float* into) {
  for (int64_t c = 0; c < channels; ++c) {
    const float *upper = image + c, *lower = upper + row_elements;
    const float above = upper[0] + (upper[channels] - upper[0]) * right;
    const float below = lower[0] + (lower[channels] - lower[0]) * right;
    into[c] = above + (below - above) * down;
  }
}

#if HWY_TARGET != HWY_SCALAR
// Four floats at a time; of three channels the fourth is overwritten by the next pixel.
inline void sample_vector(const float* image, int64_t row_elements, int64_t channels, float right,
                          float down, float* into) {
  const hn::FixedTag<float, 4> d;
  const auto mixed = [&](auto a, auto b, auto share) {
    return hn::MulAdd(hn::Sub(b, a), share, a);
  };
  const auto rights = hn::Set(d, right), downs = hn::Set(d, down);
  const float* lower = image + row_elements;
  const auto above = mixed(hn::LoadU(d, image), hn::LoadU(d, image + channels), rights);
  const auto below = mixed(hn::LoadU(d, lower), hn::LoadU(d, lower + channels), rights);
  hn::StoreU(mixed(above, below, downs), d, into);
}
#endif

void sample_line(const AffineImage& image, const AffineLine& line, int64_t first, int64_t count,
                 float* into) {
  const int64_t channels = image.channels, row = image.width * channels;
  // What lies before it may be read four floats at a time.
  [[maybe_unused]] const int64_t whole_vectors = (image.height - 1) * row - channels - 3;
  Places places;
  for (const int64_t end = first + count; first < end; first += kMostSamples) {
    const int64_t samples = std::min(kMostSamples, end - first);
    find_places(image, line, first, samples, places);
    for (int64_t i = 0; i < samples; ++i, into += channels) {
      const int64_t at = places.at[i];
      const float right = places.right[i], down = places.down[i];
#if HWY_TARGET != HWY_SCALAR
      if ((channels == 3 || channels == 4) && at < whole_vectors && first + i + 1 < end) {
        sample_vector(image.pixels + at, row, channels, right, down, into);
        continue;
      }
#endif
      sample_plain(image.pixels + at, row, channels, right, down, into);
    }
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

HWY_EXPORT(sample_line);

}  // namespace

void sample_affine_line(const AffineImage& image, const AffineLine& line, int64_t first,
                        int64_t count, float* into) {
  HWY_DYNAMIC_DISPATCH(sample_line)(image, line, first, count, into);
}

}  // namespace plimsoll::kernels
#endif
