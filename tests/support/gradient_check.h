// Checks the gradient of an op in float64: the graph that it builds, evaluated by references,
// against central differences of the op's own reference.
#pragma once

#include "plimsoll/graph/op.h"

namespace plimsoll::testing {

// No gradient flows to `constant_inputs` nor from `saved_outputs`.
void check_gradient(const OpPtr& op, const Arrays& inputs,
                    std::span<const int> constant_inputs = {},
                    std::span<const int> saved_outputs = {});

}  // namespace plimsoll::testing
