// Batches that a Python object gives one after the other.
#pragma once

#include "plimsoll/data/sources/stream.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

// The object has begin_pass(number), and next(), which returns a list of contiguous arrays of
// element types that are known here, or None where the pass has ended. Both are called with the GIL
// held, by one thread at a time.
SourcePtr python_stream(nb::handle object, std::optional<int64_t> batches);

}  // namespace plimsoll::python
