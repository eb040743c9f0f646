// Checks and conversions of the arguments of losses and metrics.
#pragma once

#include <string_view>
#include <utility>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// Keras's epsilon: how near to 0 a number may come before it is divided by or its logarithm taken.
inline constexpr double kLossEpsilon = 1e-7;

// InvalidArgument that names the loss and both shapes, and ends with `remedy`, if they differ.
void require_same_shape(std::string_view loss, const Tensor& y_true, const Tensor& y_pred,
                        std::string_view remedy);

// Keras's rule for targets, predictions and weights that differ by a last axis of one element: a
// vector gets that axis too, and otherwise the axis goes. Other pairs are left as they are.
std::pair<Tensor, Tensor> match_rank(const Tensor& a, const Tensor& b);

// The kind of targets, which compile() infers for "accuracy" and "crossentropy" from shapes alone.
// Both shapes have the samples first.
enum class Targets { binary, class_numbers, one_hot };
Targets targets_by_shapes(const Shape& y_true, const Shape& y_pred);

// The input of the op that made `y`, if that op is the last-axis softmax (the sigmoid); otherwise
// undefined.
Tensor softmax_input(const Tensor& y);
Tensor sigmoid_input(const Tensor& y);

}  // namespace plimsoll
