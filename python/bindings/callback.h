// Callbacks of Python programs, and progress on Python's standard output.
#pragma once

#include "plimsoll/train/callbacks/callback.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

// Calls the hooks of a Python object that are among `hooks`, with the number of the epoch or batch
// and the logs; the others cost nothing. Looks for Ctrl-C after every batch.
AnyCallback python_callback(nb::handle object, nb::handle hooks);

}  // namespace plimsoll::python
