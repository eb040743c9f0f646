#include "plimsoll/nn/losses/crossentropy_parts.h"

#include <fmt/format.h>

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {

Tensor clipped(const Tensor& probability) {
  return clip(probability, kLossEpsilon, 1 - kLossEpsilon);
}

Tensor smoothed(const Tensor& y_true, double smoothing, double rest) {
  const Tensor target = as_float(y_true);
  return smoothing == 0 ? target : target * (1 - smoothing) + smoothing * rest;
}

// Every term is a sum of numbers that are not negative: nothing cancels, however large the logit.
Tensor binary_from_logits(const Tensor& target, const Tensor& logit) {
  return target * softplus(-logit) + (1 - target) * softplus(logit);
}

Tensor binary_from_probabilities(const Tensor& target, const Tensor& probability) {
  const Tensor p = clipped(probability);
  return -(target * log(p) + (1 - target) * log(1 - p));
}

Tensor with_axis_last(const Tensor& x, int axis) {
  const int rank = x.rank(), moved = axis < 0 ? axis + rank : axis;
  if (moved < 0 || moved >= rank)
    throw InvalidArgument(
        fmt::format("crossentropy: axis {} is not in shape {}", axis, x.shape().to_string()));
  if (moved == rank - 1) return x;
  std::vector<int> permutation;
  for (int i = 0; i < rank; ++i)
    if (i != moved) permutation.push_back(i);
  permutation.push_back(moved);
  return transpose(x, permutation);
}

}  // namespace plimsoll
