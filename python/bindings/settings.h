// Initializers, regularizers and constraints as Python gives them: None, a name, a config.
#pragma once

#include "plimsoll/nn/weights/constraint.h"
#include "plimsoll/nn/weights/initializer.h"
#include "plimsoll/nn/weights/regularizer.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

Initializer initializer_of(nb::handle config);
Regularizer regularizer_of(nb::handle config);
Constraint constraint_of(nb::handle config);

}  // namespace plimsoll::python
