// reduce(): the smallest case of a training that fails.
#pragma once

#include "python/bindings/bind.h"

namespace plimsoll::python {

void bind_reduce(nb::module_& module);

}  // namespace plimsoll::python
