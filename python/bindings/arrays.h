// Tensors as NumPy's arrays and back.
#pragma once

#include "python/bindings/bind.h"

namespace plimsoll::python {

// numpy, imported once.
nb::object numpy();
// The array of an object, contiguous and of an element type that is known here.
nb::object plain_array(nb::handle object, std::optional<DType> dtype);
// The element type in which an array is held here.
DType dtype_of_array(nb::handle array);
// A tensor with a copy of the array.
Tensor tensor_of_array(nb::handle array, Place where);

// The tensor's elements as an array: a copy that may be written, or a view that may not.
nb::object copied_array(const Tensor& tensor);
nb::object shared_array(const Tensor& tensor);

}  // namespace plimsoll::python
