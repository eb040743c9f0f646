#include "plimsoll/ops/images/resize_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace plimsoll {
namespace {

using kernels::ResizeAxis;

// A weight by distance from the sampled place, 0 from `radius` on.
struct Filter {
  float radius;
  float (*weight)(float distance);
};

float triangle(float x) {
  return std::max(0.0f, 1 - x);
}
// Keys's cubic, a = -0.5.
float cubic(float x) {
  if (x >= 2) return 0;
  if (x >= 1) return ((-0.5f * x + 2.5f) * x - 4) * x + 2;
  return (1.5f * x - 2.5f) * x * x + 1;
}
template <int kRadius>
float lanczos(float x) {
  constexpr float kPi = std::numbers::pi_v<float>;
  if (x > kRadius) return 0;
  if (x <= 1e-3f) return 1;
  return kRadius * std::sin(kPi * x) * std::sin(kPi * x / kRadius) / (kPi * kPi * x * x);
}

Filter filter_of(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::bicubic:
      return {2, cubic};
    case Interpolation::lanczos3:
      return {3, lanczos<3>};
    case Interpolation::lanczos5:
      return {5, lanczos<5>};
    default:
      return {1, triangle};
  }
}

void add_nearest(ResizeAxis& axis, int64_t output, float step) {
  const auto at = static_cast<int64_t>(std::floor((static_cast<float>(output) + 0.5f) * step));
  axis.add_source(std::clamp<int64_t>(at, 0, axis.inputs - 1), 1);
}

void add_bilinear(ResizeAxis& axis, int64_t output, float step) {
  const float at = (static_cast<float>(output) + 0.5f) * step - 0.5f;
  const float below = std::floor(at), share = at - below;
  const int64_t low = std::max<int64_t>(static_cast<int64_t>(below), 0);
  const int64_t high = std::min(static_cast<int64_t>(below) + 1, axis.inputs - 1);
  if (low == high || share == 0) return axis.add_source(low, 1);
  axis.add_source(low, 1 - share);
  axis.add_source(high, share);
}

// Weights of the pixels inside the image, scaled so that their sum is 1.
void add_normalized(ResizeAxis& axis, std::span<const std::pair<int64_t, float>> taps) {
  constexpr float kTooSmall = 1000 * 1.1920929e-7f;
  float total = 0;
  for (const auto& [source, weight] : taps)
    if (source >= 0 && source < axis.inputs) total += weight;
  if (std::abs(total) < kTooSmall) return;
  for (const auto& [source, weight] : taps)
    if (source >= 0 && source < axis.inputs && weight != 0) axis.add_source(source, weight / total);
}

// TensorFlow takes weights from a table of 1024 positions between two pixels.
void add_bicubic(ResizeAxis& axis, int64_t output, float step) {
  constexpr float kPlaces = 1024;
  const float at = (static_cast<float>(output) + 0.5f) * step - 0.5f;
  const float below = std::floor(at), share = std::nearbyint((at - below) * kPlaces) / kPlaces;
  std::array<std::pair<int64_t, float>, 4> taps;
  for (int i = 0; i < 4; ++i)
    taps[static_cast<size_t>(i)] = {static_cast<int64_t>(below) + i - 1,
                                    cubic(std::abs(share + 1 - static_cast<float>(i)))};
  add_normalized(axis, taps);
}

// Samples through a filter, which is as wide as an output pixel if that is wider.
void add_filtered(ResizeAxis& axis, int64_t output, float step, const Filter& filter,
                  bool antialias) {
  const float wide = antialias ? std::max(step, 1.0f) : 1.0f;
  const float at = (static_cast<float>(output) + 0.5f) * step;
  if (at < 0 || at > static_cast<float>(axis.inputs)) return;
  const float reach = filter.radius * wide;
  const auto first = std::max<int64_t>(static_cast<int64_t>(std::ceil(at - reach - 0.5f)), 0);
  const auto last = std::min(static_cast<int64_t>(std::floor(at + reach - 0.5f)), axis.inputs - 1);
  std::vector<std::pair<int64_t, float>> taps;
  for (int64_t source = first; source <= last; ++source) {
    const float distance = std::abs(static_cast<float>(source) + 0.5f - at) / wide;
    taps.emplace_back(source, filter.weight(distance));
  }
  add_normalized(axis, taps);
}

}  // namespace

ResizeAxis resize_axis(int64_t inputs, int64_t outputs, Interpolation interpolation,
                       bool antialias) {
  ResizeAxis axis;
  axis.inputs = inputs;
  const float step = static_cast<float>(inputs) / static_cast<float>(outputs);
  for (int64_t i = 0; i < outputs; ++i) {
    if (interpolation == Interpolation::nearest)
      add_nearest(axis, i, step);
    else if (interpolation == Interpolation::bilinear && !antialias)
      add_bilinear(axis, i, step);
    else if (interpolation == Interpolation::bicubic && !antialias)
      add_bicubic(axis, i, step);
    else
      add_filtered(axis, i, step, filter_of(interpolation), antialias);
    axis.add_output();
  }
  return axis;
}

}  // namespace plimsoll
