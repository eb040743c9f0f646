// The options of a convolution, by the names that Keras gives them.
#pragma once

#include <array>
#include <cstdint>

namespace plimsoll {

enum class Padding { valid, same };  // `same` puts the odd row or column at the end, as TensorFlow

struct ConvolutionOptions {
  std::array<int64_t, 2> strides = {1, 1};
  Padding padding = Padding::valid;
  std::array<int64_t, 2> dilation_rate = {1, 1};
  int64_t groups = 1;
};

}  // namespace plimsoll
