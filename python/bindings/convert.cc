// What stands for a tensor in Python.
#include <cmath>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/operations/operation_call.h"
#include "python/bindings/arrays.h"

namespace plimsoll::python {
namespace {

DType dtype_of_int(int64_t value) {
  const bool is_small =
      value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
  return is_small ? DType::int32 : DType::int64;
}

// Lists that hold tensors are stacked by Python; NumPy would evaluate each element.
Tensor tensor_of_python(nb::handle object, std::optional<DType> dtype, Place where) {
  if (nb::hasattr(object, "__plimsoll_tensor__"))
    return nb::cast<Tensor>(object.attr("__plimsoll_tensor__")());
  const bool is_list = nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object);
  if (is_list) {
    const nb::object stacked =
        nb::module_::import_("plimsoll._convert").attr("stack_if_tensors")(object);
    if (!stacked.is_none()) return nb::cast<Tensor>(stacked);
  }
  // Python's own integers are int32, as in TensorFlow; NumPy's stay what they are.
  if (is_list && !dtype) {
    const nb::object array = numpy().attr("asarray")(object);
    if (nb::cast<std::string>(array.attr("dtype").attr("name")) == "int64" &&
        nb::cast<int64_t>(array.attr("size")) > 0) {
      const auto largest = nb::cast<int64_t>(nb::int_(numpy().attr("abs")(array).attr("max")()));
      dtype = dtype_of_int(largest);
    }
    // NumPy's own texts lose zero bytes at their ends, so they are made anew of the list.
    const bool is_text = nb::cast<std::string>(array.attr("dtype").attr("kind")) == "S";
    return tensor_of_array(array_of(is_text ? object : nb::handle(array)), dtype, where);
  }
  return tensor_of_array(array_of(object), dtype, where);
}

}  // namespace

Tensor to_tensor(nb::handle object, std::optional<DType> dtype) {
  return to_tensor(object, dtype, caller());
}

Tensor to_tensor(nb::handle object, std::optional<DType> dtype, Place where) {
  Tensor tensor;
  if (nb::inst_check(object) && nb::isinstance<Tensor>(object)) {
    tensor = nb::cast<Tensor>(object);
  } else if (nb::inst_check(object) && nb::isinstance<Variable>(object)) {
    tensor = nb::cast<Variable&>(object).value(where);
  } else if (nb::isinstance<nb::bool_>(object)) {
    tensor = scalar(nb::cast<bool>(object) ? 1 : 0, dtype.value_or(DType::boolean), where);
  } else if (nb::isinstance<nb::int_>(object)) {
    const auto value = nb::cast<int64_t>(object);
    const DType type = dtype.value_or(dtype_of_int(value));
    if (type == DType::int64) {
      const int64_t one[] = {value};
      tensor = constant(one, Shape{}, where);
    } else {
      tensor = scalar(static_cast<double>(value), type, where);
    }
  } else if (nb::isinstance<nb::float_>(object)) {
    tensor = scalar(nb::cast<double>(object), dtype.value_or(DType::float32), where);
  } else if (object.is_none()) {
    throw nb::type_error("None is not a tensor");
  } else {
    tensor = tensor_of_python(object, dtype, where);
  }
  if (dtype && tensor.dtype() != *dtype) tensor = to_dtype(tensor, *dtype);
  return tensor;
}

Operand to_operand(nb::handle object, Place where) {
  if (nb::isinstance<nb::float_>(object)) return Operand(nb::cast<double>(object), where);
  if (nb::isinstance<nb::int_>(object) && !nb::isinstance<nb::bool_>(object))
    return Operand(nb::cast<double>(object), where);
  return Operand(to_tensor(object, {}, where), where);
}

Tensors to_tensors(nb::handle list) {
  Tensors tensors;
  for (const nb::handle element : list) tensors.push_back(to_tensor(element));
  return tensors;
}

}  // namespace plimsoll::python
