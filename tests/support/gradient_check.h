// Checks the gradient of an op in float64: the graph that it builds, evaluated by references,
// against central differences of the op's own reference.
#pragma once

#include "plimsoll/graph/op.h"

namespace plimsoll::testing {

void check_gradient(const OpPtr& op, const Arrays& inputs);

}  // namespace plimsoll::testing
