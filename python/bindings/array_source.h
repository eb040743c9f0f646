// Records that are rows of NumPy's arrays. Nothing is copied or cast before a record is read.
#pragma once

#include "plimsoll/data/source.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

// The arrays agree on axis 0, else InvalidArgument. Numbers of other types are cast to the nearest
// that is known here (float64 to float32), one record at a time.
SourcePtr array_source(nb::handle arrays);

}  // namespace plimsoll::python
