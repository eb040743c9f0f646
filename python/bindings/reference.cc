#include "python/bindings/bind.h"
#include "python/bindings/own_lines.h"

namespace plimsoll::python {

Reference::Reference(nb::handle object) : object_(object) {
  object_.inc_ref();
}

Reference::~Reference() {
  if (!nb::is_alive()) return;  // the interpreter has ended, and its objects with it
  const nb::gil_scoped_acquire gil;
  object_.dec_ref();
}

std::function<Tensor(const Tensor&, const Tensor&)> function_of_two(nb::handle function) {
  const auto kept = std::make_shared<const Reference>(function);
  return [kept](const Tensor& a, const Tensor& b) {
    const nb::gil_scoped_acquire gil;
    const OwnLines inside;
    return to_tensor(kept->get()(a, b));
  };
}

}  // namespace plimsoll::python
