// Normalisation over the batch in two ops, for the engine: once the moments are known, the result
// can be computed again in one pass.
#pragma once

#include <optional>

#include "plimsoll/graph/op.h"

namespace plimsoll {

// x -> mean, variance
OpPtr batch_moments_op();
// x, gamma, beta, mean, variance -> y; with `relu` its positive part
OpPtr batch_apply_op(double epsilon, bool relu);

// The epsilon of a batch_normalize; nothing for any other op.
std::optional<double> batch_normalize_epsilon(const Op& op);
// The batch_apply `op` that takes the positive part of its output; null for any other op.
OpPtr apply_with_relu(const Op& op);

}  // namespace plimsoll
