// Copies a tensor: where a value must stand in two places.
#pragma once

#include "plimsoll/graph/op.h"

namespace plimsoll {

OpPtr copy_op();

}  // namespace plimsoll
