// The class Variable.
#include "plimsoll/ops/ops.h"
#include "python/bindings/arithmetic.h"
#include "python/bindings/arrays.h"

namespace plimsoll::python {
namespace {

// A value of the variable's own dtype and shape; what broadcasts to the shape is broadcast.
Tensor value_for(const Variable& variable, nb::handle value) {
  const Tensor tensor = to_tensor(value, variable.spec().dtype);
  return tensor.shape() == variable.shape() || tensor.rank() > 0
             ? tensor
             : broadcast_to(tensor, variable.shape());
}

void set_now(Variable& variable, nb::handle value) {
  const Tensor tensor = to_tensor(value, variable.spec().dtype);
  if (tensor.shape() != variable.shape())
    throw nb::value_error(("the variable '" + variable.name() + "' has the shape " +
                           variable.shape().to_string() + ", found a value of " +
                           tensor.shape().to_string())
                              .c_str());
  variable.set_bytes({tensor.data(), static_cast<size_t>(tensor.spec().bytes())});
}

void set_constraint(Variable& variable, nb::handle function) {
  if (function.is_none()) {
    variable.state()->constraint = nullptr;
    return;
  }
  const auto kept = std::make_shared<const Reference>(function);
  variable.state()->constraint = [kept](const Tensor& weight) {
    const nb::gil_scoped_acquire gil;
    return to_tensor(kept->get()(weight));
  };
}

}  // namespace

void bind_variables(nb::module_& module) {
  nb::class_<Variable>(module, "Variable", nb::dynamic_attr(), nb::is_weak_referenceable())
      .def(
          "__init__",
          [](Variable* self, nb::handle value, nb::handle dtype, const std::string& name,
             bool trainable) {
            const Tensor initial =
                to_tensor(value, dtype.is_none() ? std::nullopt : std::optional(dtype_of(dtype)));
            new (self) Variable(name, initial.spec(), trainable);
            self->set_bytes({initial.data(), static_cast<size_t>(initial.spec().bytes())});
          },
          nb::arg("value"), nb::arg("dtype") = nb::none(), nb::arg("name") = "Variable",
          nb::arg("trainable") = true)
      // Another Python object of the same variable, for classes that derive from this one.
      .def(
          "__init__", [](Variable* self, const Variable& same) { new (self) Variable(same); },
          nb::kw_only(), nb::arg("same"))
      .def_prop_rw(
          "name", [](const Variable& v) { return v.name(); },
          [](Variable& v, const std::string& name) { v.state()->name = name; })
      .def_prop_ro("shape", [](const Variable& v) { return shape_of(v.spec()); })
      .def_prop_ro("dtype", [](const Variable& v) { return dtype_name(v.spec().dtype); })
      .def_prop_ro("ndim", [](const Variable& v) { return v.shape().rank(); })
      .def_prop_rw("trainable", &Variable::trainable, &Variable::set_trainable)
      .def_prop_ro("key",
                   [](const Variable& v) { return reinterpret_cast<uintptr_t>(v.state().get()); })
      .def("read_value", [](const Variable& v) { return v.value(caller()); })
      .def("record_assign", [](Variable& v, nb::handle value) { v.assign(value_for(v, value)); })
      .def("record_assign_add",
           [](Variable& v, nb::handle value) {
             v.assign(
                 add(Operand(v.value(caller()), caller()), Operand(value_for(v, value), caller())));
           })
      .def("record_assign_sub",
           [](Variable& v, nb::handle value) {
             v.assign(subtract(Operand(v.value(caller()), caller()),
                               Operand(value_for(v, value), caller())));
           })
      .def("set_now", set_now, NeedsThreads())
      .def("is_same", [](const Variable& a, const Variable& b) { return a == b; })
      // A function of the weight that is recorded after each update; None takes it away.
      .def("set_constraint", set_constraint, nb::arg("function").none())
      .def("apply_constraint", [](Variable& v) {
        if (const auto& constraint = v.state()->constraint) v.assign(constraint(v.value(caller())));
      });
}

}  // namespace plimsoll::python
