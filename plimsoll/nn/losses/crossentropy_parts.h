// Functions that the crossentropies share.
#pragma once

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// Kept 1e-7 away from 0 and 1; what is clipped has no gradient.
Tensor clipped(const Tensor& probability);
// Float targets drawn towards `rest` by the share `smoothing`.
Tensor smoothed(const Tensor& y_true, double smoothing, double rest);
// One value per element.
Tensor binary_from_logits(const Tensor& target, const Tensor& logit);
Tensor binary_from_probabilities(const Tensor& target, const Tensor& probability);
// With `axis` last.
Tensor with_axis_last(const Tensor& x, int axis);

}  // namespace plimsoll
