// What the files of the Python module share. Each bind_… adds its classes and functions to the
// module plimsoll._core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/graph/operand.h"
#include "plimsoll/graph/place.h"
#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"
#include "plimsoll/nn/keras/json.h"

namespace nb = nanobind;

namespace plimsoll::python {

void bind_caller(nb::module_& module);
void bind_callbacks(nb::module_& module);
void bind_custom_gradient(nb::module_& module);
void bind_data(nb::module_& module);
void bind_doctor(nb::module_& module);
void bind_errors(nb::module_& module);
void bind_images(nb::module_& module);
void bind_kept_weights(nb::module_& module);
void bind_layers(nb::module_& module);
void bind_memory(nb::module_& module);
void bind_models(nb::module_& module);
void bind_objectives(nb::module_& module);
void bind_operations(nb::module_& module);
void bind_ops(nb::module_& module);
void bind_optimizers(nb::module_& module);
void bind_preprocessing(nb::module_& module);
void bind_progress(nb::module_& module);
void bind_random(nb::module_& module);
void bind_replay(nb::module_& module);
void bind_reports(nb::module_& module);
void bind_samples(nb::module_& module);
void bind_settings(nb::module_& module);
void bind_tape(nb::module_& module);
void bind_tensors(nb::module_& module);
void bind_variables(nb::module_& module);

// A reference to a Python object that any thread may let go.
class Reference {
 public:
  explicit Reference(nb::handle object);
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference();

  nb::handle get() const { return object_; }

 private:
  nb::handle object_;
};
using ReferencePtr = std::shared_ptr<const Reference>;

// A Python function of two tensors, as losses and metrics are.
std::function<Tensor(const Tensor&, const Tensor&)> function_of_two(nb::handle function);

// The line of Python that called into the package: the innermost frame outside of it. Refuses as
// refuse_in_fork() does, so that nothing is recorded in a forked process.
Place caller();

// Throws in a process that was forked from one with the engine: what computes there would wait for
// threads that do not exist.
void refuse_in_fork();
// Of functions that compute, read data or write files, and do not always ask for their caller.
struct RefusesInFork {
  RefusesInFork() { refuse_in_fork(); }
};
using NeedsThreads = nb::call_guard<RefusesInFork>;

// Results belong to the line that asked for them, not to one inside of what made them.
class Results {
 public:
  Results();
  // Those of the tensors that this thread recorded since: others had their lines before.
  void belong_to(Place where, const Tensors& tensors) const;

 private:
  int64_t last_number_;  // of what was recorded before
};

// Python's names of element types: "float32", "bool", …; those that have none here become the next
// larger (float64 is float32). ValueError for anything else.
DType dtype_of(nb::handle name);
nb::object dtype_name(DType dtype);

// A tensor of whatever stands for one: a tensor, a variable, a number, an array, a list, a text.
Tensor to_tensor(nb::handle object, std::optional<DType> dtype = {});
Tensor to_tensor(nb::handle object, std::optional<DType> dtype, Place where);
// The same as an argument of an op: a Python number takes the dtype of the other argument.
Operand to_operand(nb::handle object, Place where);
Tensors to_tensors(nb::handle list);

Shape to_shape(nb::handle shape);
// A tuple; an unknown dimension is None.
nb::tuple from_shape(const Shape& shape);
// As Python knows it: text has no axis of slots.
nb::tuple shape_of(const Spec& spec);

// Python's objects (dict, list, tuple, str, int, float, bool, None, NumPy's numbers) <-> JSON.
Json to_json(nb::handle object);
nb::object from_json(const Json& json);

}  // namespace plimsoll::python
