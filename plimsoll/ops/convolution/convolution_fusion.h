// Functions for the passes that fuse the ops after a convolution into it.
#pragma once

#include <optional>

#include "plimsoll/graph/op.h"
#include "plimsoll/ops/convolution/convolution_options.h"

namespace plimsoll {

template <size_t kAxes>
struct ConvolutionAttributes {
  ConvolutionOptionsOver<kAxes> options;
  bool bias = false;  // a third input, of shape (filters,)
  bool relu = false;  // negative elements of the output are replaced by 0; of images only
};

using Conv2dAttributes = ConvolutionAttributes<2>;
using Conv3dAttributes = ConvolutionAttributes<3>;

OpPtr conv2d_op(const Conv2dAttributes& attributes);
OpPtr conv3d_op(const Conv3dAttributes& attributes);

// The attributes of a conv2d; nothing for any other op.
std::optional<Conv2dAttributes> conv2d_attributes(const Op& op);

// The conv2d `op` that also takes the positive part of its output; null for any other op.
OpPtr with_relu(const Op& op);

}  // namespace plimsoll
