// The class Tensor.
#include <unordered_set>

#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/nn/layers/layer_call.h"
#include "plimsoll/ops/ops.h"
#include "python/bindings/arithmetic.h"
#include "python/bindings/arrays.h"
#include "python/bindings/symbolic.h"

namespace plimsoll::python {
namespace {

bool is_symbolic(const Tensor& tensor) {
  return tensor.defined() && tensor.value().node->symbolic;
}

// True if a tensor has no value before a recorded step runs: it depends on a placeholder, or, where
// the step runs again with other values of them, on variables.
bool waits_for_step(const Tensor& tensor, bool on_variables) {
  std::vector<const Node*> left = {tensor.value().node.get()};
  std::unordered_set<const Node*> seen(left.begin(), left.end());
  while (!left.empty()) {
    const Node& node = *left.back();
    left.pop_back();
    if (node.has_value() || !node.shows_history()) continue;
    if (node.op == nullptr && (node.variable == nullptr || on_variables)) return true;
    for (const Value& input : node.inputs)
      if (seen.insert(input.node.get()).second) left.push_back(input.node.get());
  }
  return false;
}

double item(const Tensor& tensor) {
  const nb::gil_scoped_release release;
  return tensor.item();
}

// The buffer of what __array__ gives, which the view then holds.
int fill_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  if (nb::inst_ptr<Tensor>(self)->dtype() == DType::string) {
    PyErr_SetString(PyExc_BufferError, "a tensor of texts is no plain memory; use .numpy()");
    return -1;
  }
  PyObject* array = PyObject_CallMethod(self, "__array__", nullptr);
  if (array == nullptr) return -1;
  const int code = PyObject_GetBuffer(array, view, flags);
  Py_DECREF(array);
  return code;
}

PyType_Slot kBuffer[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(fill_buffer)}, {0, nullptr}};

void bind_operators(nb::class_<Tensor>& type) {
  const auto both = [&](const char* name, const char* reflected, Binary op) {
    type.def(
        name, [op](nb::handle a, nb::handle b) { return binary(op, a, b); }, nb::is_operator());
    if (reflected != nullptr)
      type.def(
          reflected, [op](nb::handle a, nb::handle b) { return binary(op, b, a); },
          nb::is_operator());
  };
  both("__add__", "__radd__", add);
  both("__sub__", "__rsub__", subtract);
  both("__mul__", "__rmul__", multiply);
  both("__pow__", "__rpow__", power);
  both("__lt__", nullptr, less);
  both("__le__", nullptr, less_equal);
  both("__gt__", nullptr, greater);
  both("__ge__", nullptr, greater_equal);
  const auto quotient = [](nb::handle a, nb::handle b) {
    return divide(Operand(as_float(a), caller()), as_float(b));
  };
  type.def("__truediv__", [quotient](nb::handle a, nb::handle b) {
    const Tensor x = as_float(a);
    return nb::isinstance<nb::float_>(b) || nb::isinstance<nb::int_>(b)
               ? divide(Operand(x, caller()), to_operand(b, caller()))
               : quotient(a, b);
  });
  type.def("__rtruediv__", [quotient](nb::handle a, nb::handle b) { return quotient(b, a); });
  type.def("__neg__", [](const Tensor& x) { return negative(Operand(x, caller())); });
  type.def("__abs__", [](const Tensor& x) { return abs(Operand(x, caller())); });
}

void bind_functions_of_tensors(nb::module_& module) {
  module.def(
      "constant",
      [](nb::handle value, nb::handle dtype) {
        return to_tensor(value, dtype.is_none() ? std::nullopt : std::optional(dtype_of(dtype)));
      },
      nb::arg("value"), nb::arg("dtype") = nb::none());
  module.def("dtype_name", [](nb::handle name) { return dtype_name(dtype_of(name)); });
  module.def(
      "evaluate",
      [](nb::handle list) {
        const Tensors tensors = to_tensors(list);
        const nb::gil_scoped_release release;
        evaluate(tensors);
      },
      NeedsThreads());
  module.def("placeholder", [](nb::handle dtype, nb::handle shape) {
    return placeholder({dtype_of(dtype), to_shape(shape)}, caller());
  });
}

}  // namespace

void bind_tensors(nb::module_& module) {
  nb::class_<Tensor> type(module, "Tensor", nb::dynamic_attr(), nb::is_weak_referenceable(),
                          nb::type_slots(kBuffer));
  type.def_prop_ro("shape", [](const Tensor& x) { return shape_of(known_spec(x)); })
      .def_prop_ro("dtype", [](const Tensor& x) { return dtype_name(x.dtype()); })
      .def_prop_ro("ndim", [](const Tensor& x) { return shape_of_elements(x.spec()).rank(); })
      .def_prop_ro("is_symbolic", is_symbolic)
      .def_prop_ro("has_value", [](const Tensor& x) { return x.value().node->has_value(); })
      // A stand-in for data while a step is recorded: it never has a value. Nothing that another
      // thread recorded is one, and that thread may be dropping its history.
      .def_prop_ro("is_placeholder",
                   [](const Tensor& x) {
                     const Node& node = *x.value().node;
                     return node.shows_history() && !node.has_value() && node.op == nullptr &&
                            node.variable == nullptr;
                   })
      .def("waits_for_step", waits_for_step)
      // A value that nothing recorded leads to.
      .def_prop_ro("is_constant",
                   [](const Tensor& x) {
                     const Node& node = *x.value().node;
                     return node.shows_history() && node.has_value() && node.op == nullptr &&
                            node.variable == nullptr && node.variable_id == 0;
                   })
      .def_prop_ro("place",
                   [](const Tensor& x) {
                     const Place& where = x.value().node->where;
                     return std::make_pair(std::string(where.file), where.line);
                   })
      .def_prop_ro("key",
                   [](const Tensor& x) {
                     return std::make_pair(reinterpret_cast<uintptr_t>(x.value().node.get()),
                                           x.value().output);
                   })
      .def("numpy_array", copied_array, NeedsThreads())
      .def("shared_array", shared_array, NeedsThreads())
      // For whoever holds the tensor alone: a later reader would see what is written.
      .def("writable_array", writable_array, NeedsThreads())
      .def("item", item, NeedsThreads())
      .def("mask",
           [](const Tensor& x) {
             const Tensor mask = x.mask();
             return mask.defined() ? nb::cast(mask) : nb::none();
           })
      .def("set_mask", [](const Tensor& x, const Tensor& mask) { x.set_mask(mask); });
  bind_operators(type);
  bind_functions_of_tensors(module);
}

}  // namespace plimsoll::python
