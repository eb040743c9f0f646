// Copies a tensor, for a value that must be in memory twice.
#pragma once

#include "plimsoll/graph/op.h"

namespace plimsoll {

OpPtr copy_op();

}  // namespace plimsoll
