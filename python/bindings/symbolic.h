// Shapes of symbolic tensors, whose unknown dimensions hold a stand-in while a model is defined.
#pragma once

#include "plimsoll/graph/tensor.h"

namespace plimsoll::python {

// The tensor's spec; dimensions that a call decides are kUnknown.
Spec known_spec(const Tensor& tensor);

}  // namespace plimsoll::python
