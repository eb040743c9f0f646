// Moves a tensor to another layout. The engine puts this op between nodes whose layouts differ.
#pragma once

#include "plimsoll/graph/op.h"

namespace plimsoll {

// The value is unchanged; its channels must be a multiple of both blocks.
OpPtr reorder_op(Layout from, Layout to);

}  // namespace plimsoll
