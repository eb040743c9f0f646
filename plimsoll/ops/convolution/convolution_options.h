// The options of a convolution, by the names that Keras gives them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plimsoll {

enum class Padding { valid, same };  // `same` puts the odd row or column at the end, as TensorFlow

constexpr std::string_view name_of(Padding padding) {
  return padding == Padding::same ? "same" : "valid";
}

// One number per spatial axis: (height, width) or (depth, height, width).
template <size_t kAxes>
using PerAxis = std::array<int64_t, kAxes>;

template <size_t kAxes>
constexpr PerAxis<kAxes> ones_per_axis() {
  PerAxis<kAxes> ones{};
  ones.fill(1);
  return ones;
}

template <size_t kAxes>
struct ConvolutionOptionsOver {
  PerAxis<kAxes> strides = ones_per_axis<kAxes>();
  Padding padding = Padding::valid;
  PerAxis<kAxes> dilation_rate = ones_per_axis<kAxes>();
  int64_t groups = 1;
};

using ConvolutionOptions = ConvolutionOptionsOver<2>;
using VolumeConvolutionOptions = ConvolutionOptionsOver<3>;

}  // namespace plimsoll
