// The rules of the optimizers in plain float64.
#pragma once

#include "plimsoll/graph/reference.h"
#include "plimsoll/kernels/update/update.h"

namespace plimsoll {

// `in` and the result are ordered as kernels::UpdateForm says.
Arrays reference_update(const kernels::UpdateForm& form, std::span<const Array> in);

}  // namespace plimsoll
