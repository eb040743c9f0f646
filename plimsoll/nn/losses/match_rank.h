// Making targets, predictions and weights that differ by a last axis of one element agree.
#pragma once

#include <utility>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// Keras's rule: where one tensor has one axis more, and one element there, a vector gets that axis
// too, and otherwise the axis goes. Other pairs are left as they are.
std::pair<Tensor, Tensor> match_rank(const Tensor& a, const Tensor& b);

}  // namespace plimsoll
