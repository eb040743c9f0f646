// Max pooling as an op with its index: for gradients and for passes.
#pragma once

#include <optional>

#include "plimsoll/graph/op.h"
#include "plimsoll/ops/convolution/pooling.h"

namespace plimsoll {

// x -> y and, for the gradient, the number of the first maximum in its window (uint8).
OpPtr max_pool2d_op(const PoolingOptions& options);

// The options of a max_pool2d; nothing for any other op.
std::optional<PoolingOptions> max_pool2d_options(const Op& op);

// The gradient of max_pool2d's input, whose height and width are `input_size`.
Tensor max_pool2d_gradient(const Operand& index, const Operand& dy,
                           std::array<int64_t, 2> input_size, const PoolingOptions& options);

}  // namespace plimsoll
