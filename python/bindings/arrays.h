// Tensors as NumPy's arrays and back.
#pragma once

#include "python/bindings/bind.h"

namespace plimsoll::python {

// numpy, imported once.
nb::object numpy();
// An array with the elements of an object, of any type and stride; texts keep zero bytes at their
// ends.
nb::object array_of(nb::handle object);
// The element type in which an array is held here.
DType dtype_of_array(nb::handle array);
// A tensor with a copy of the array, cast on the way.
Tensor tensor_of_array(nb::handle array, std::optional<DType> dtype, Place where);

// The tensor's elements as an array: a copy that may be written, a view that may not, or one that
// may, for whoever holds the tensor alone.
nb::object copied_array(const Tensor& tensor);
nb::object shared_array(const Tensor& tensor);
nb::object writable_array(const Tensor& tensor);

}  // namespace plimsoll::python
