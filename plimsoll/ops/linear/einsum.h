// Sums of products by Einstein's convention: einsum("bij,bkj->bik", {a, b}).
#pragma once

#include <string>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// Letters name axes, "..." the leading axes that broadcast; without "->" the letters that occur
// once, in alphabetical order, are the result. One or two operands become one matrix product. A
// letter may not occur twice in one operand.
Tensor einsum(const std::string& equation, const Tensors& operands, Place where = Place::here());

}  // namespace plimsoll
