// The options of a convolution, by the names that Keras gives them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plimsoll {

enum class Padding { valid, same };  // `same` puts the odd row or column at the end, as TensorFlow

constexpr std::string_view name_of(Padding padding) {
  return padding == Padding::same ? "same" : "valid";
}

struct ConvolutionOptions {
  std::array<int64_t, 2> strides = {1, 1};
  Padding padding = Padding::valid;
  std::array<int64_t, 2> dilation_rate = {1, 1};
  int64_t groups = 1;
};

}  // namespace plimsoll
