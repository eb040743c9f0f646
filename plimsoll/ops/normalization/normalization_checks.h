// What the ops with coefficients of channels share.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/op.h"

namespace plimsoll {

// x must be float32 with an axis of channels, and each of `coefficients` float32 (channels,).
inline void refuse_unless_per_channel(const Spec& x, std::span<const Spec> coefficients) {
  if (x.dtype != DType::float32 || x.shape.rank() < 2)
    throw InvalidArgument("x must be float32 with a batch and channels, found " + x.to_string());
  for (const Spec& coefficient : coefficients)
    if (coefficient != Spec{DType::float32, {x.shape.back()}})
      throw InvalidArgument(fmt::format("expected float32 ({},), one per channel of x, found {}",
                                        x.shape.back(), coefficient.to_string()));
}

inline void refuse_unless_same(const Spec& x, const Spec& dy) {
  if (dy != x)
    throw InvalidArgument("dy must be " + x.to_string() + " as x, found " + dy.to_string());
}

// The mean and the biased variance of each channel, in plain float64.
struct BatchMomentsOf {
  std::vector<double> mean, variance;
  double positions = 0;

  explicit BatchMomentsOf(const Array& x) {
    const int64_t channels = x.spec.shape.back(), elements = x.spec.shape.elements();
    mean.resize(static_cast<size_t>(channels), 0.0);
    variance = mean;
    const int64_t per_channel = channels == 0 ? 0 : elements / channels;
    positions = static_cast<double>(per_channel);
    for (int64_t i = 0; i < elements; ++i) mean[at(i, channels)] += x[i];
    for (double& m : mean) m /= positions;
    for (int64_t i = 0; i < elements; ++i)
      variance[at(i, channels)] += std::pow(x[i] - mean[at(i, channels)], 2);
    for (double& v : variance) v /= positions;
  }

  static size_t at(int64_t i, int64_t channels) { return static_cast<size_t>(i % channels); }
};

inline Layout first_blocked(std::span<const Layout> offered) {
  for (const Layout layout : offered)
    if (!layout.is_plain()) return layout;
  return Layout::plain();
}

}  // namespace plimsoll
