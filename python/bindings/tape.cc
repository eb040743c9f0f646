// The tape, and gradients of what is recorded.
#include "plimsoll/graph/gradient.h"

#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

nb::list optional_list(const Tensors& tensors) {
  nb::list list;
  for (const Tensor& tensor : tensors)
    list.append(tensor.defined() ? nb::cast(tensor) : nb::none());
  return list;
}

Tensors optional_tensors(nb::handle given) {
  Tensors tensors;
  if (given.is_none()) return tensors;
  for (const nb::handle element : given)
    tensors.push_back(element.is_none() ? Tensor() : to_tensor(element));
  return tensors;
}

bool are_variables(nb::handle list) {
  for (const nb::handle element : list)
    if (!nb::isinstance<Variable>(element)) return false;
  return true;
}

// Sources are variables, or tensors, or both.
nb::list gradient(const GradientTape& tape, nb::handle targets, nb::handle sources,
                  nb::handle output_gradients) {
  const Tensors of = to_tensors(targets), seeds = optional_tensors(output_gradients);
  const Results results;
  Tensors found;
  if (are_variables(sources)) {
    Variables variables;
    for (const nb::handle source : sources) variables.push_back(nb::cast<Variable>(source));
    found = tape.gradient(of, variables, seeds);
  } else {
    found = tape.gradient(of, to_tensors(sources), seeds);
  }
  results.belong_to(caller(), found);
  return optional_list(found);
}

}  // namespace

void bind_tape(nb::module_& module) {
  nb::class_<GradientTape>(module, "Tape")
      .def(
          "__init__",
          [](GradientTape* self, bool persistent) {
            new (self) GradientTape(TapeOptions{.persistent = persistent});
          },
          nb::arg("persistent") = false)
      .def("stop", &GradientTape::stop)
      .def("start", &GradientTape::start)
      .def_prop_ro("is_open", &GradientTape::is_open)
      .def("gradient", gradient, nb::arg("targets"), nb::arg("sources"),
           nb::arg("output_gradients").none(), NeedsThreads());
  module.def("is_recording_tape", [] { return GradientTape::recording(); });
}

}  // namespace plimsoll::python
