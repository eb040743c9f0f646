// What Python writes for TensorBoard, and what it reads of runs.
#pragma once

#include "python/bindings/bind.h"

namespace plimsoll::python {

void bind_event_files(nb::module_& module);
void bind_run_list(nb::module_& module);

}  // namespace plimsoll::python
