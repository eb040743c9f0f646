// What losses ask of their arguments.
#pragma once

#include <string_view>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// Keras's epsilon: how near to 0 a number may come before it is divided by or its logarithm taken.
inline constexpr double kLossEpsilon = 1e-7;

// InvalidArgument that names the loss and both shapes, and ends with `remedy`, if they differ.
void require_same_shape(std::string_view loss, const Tensor& y_true, const Tensor& y_pred,
                        std::string_view remedy);

// The input of the op that made `y`, if that op is the last-axis softmax (the sigmoid); otherwise
// undefined.
Tensor softmax_input(const Tensor& y);
Tensor sigmoid_input(const Tensor& y);

}  // namespace plimsoll
