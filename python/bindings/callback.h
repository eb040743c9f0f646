// Callbacks of Python programs, and progress on Python's standard output.
#pragma once

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/checkpoints/checkpoint_options.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

// A run was stopped by an exception of Python that a signal has raised: Ctrl-C's KeyboardInterrupt.
// It reaches the program as that exception.
struct StoppedBySignal : Interrupted {
  explicit StoppedBySignal(const nb::python_error& raised);
  nb::python_error error;
};

// What a handler of signals has raised, if one came; none in threads that get no signals.
std::optional<nb::python_error> raised_by_signal();

// Calls the hooks of a Python object that are among `hooks`, with the number of the epoch or batch
// and the logs; the others cost nothing. Looks for Ctrl-C after every batch,
// but for those of training, where fit looks.
AnyCallback python_callback(nb::handle object, nb::handle hooks);

}  // namespace plimsoll::python
