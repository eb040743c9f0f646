// Random numbers: the clock that steps and seeds depend on.
#include "plimsoll/ops/random/random.h"

#include "plimsoll/nn/clock.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

void bind_random(nb::module_& module) {
  module.def("set_random_seed", set_random_seed);
  module.def("random_seed", random_seed);
  module.def("tick", [] { training_clock().tick(); });
  // All that later draws depend on: (seed, step, {path of a layer: draws of this step}).
  module.def("clock_state", [] {
    const ClockState state = training_clock().state();
    nb::dict draws;
    for (const auto& [path, count] : state.draws) draws[path.c_str()] = count;
    return nb::make_tuple(state.seed, state.step, draws);
  });
  module.def("set_clock_state", [](int64_t seed, int64_t step, const nb::dict& draws) {
    ClockState state{.seed = seed, .step = step};
    for (const auto& [path, count] : draws)
      state.draws[nb::cast<std::string>(path)] = nb::cast<uint32_t>(count);
    training_clock().set_state(state);
  });
  module.def(
      "random_uniform",
      [](nb::handle shape, double low, double high, nb::handle seed) {
        Clock& clock = training_clock();
        const RandomState state =
            seed.is_none() ? clock.draw() : clock.draw(nb::cast<Variable&>(seed));
        return random_uniform(to_shape(shape), low, high, state, caller());
      },
      nb::arg("shape"), nb::arg("low") = 0.0, nb::arg("high") = 1.0, nb::arg("seed") = nb::none());
  module.def(
      "random_normal",
      [](nb::handle shape, double mean, double stddev, nb::handle seed) {
        Clock& clock = training_clock();
        const RandomState state =
            seed.is_none() ? clock.draw() : clock.draw(nb::cast<Variable&>(seed));
        return random_normal(to_shape(shape), mean, stddev, state, caller());
      },
      nb::arg("shape"), nb::arg("mean") = 0.0, nb::arg("stddev") = 1.0,
      nb::arg("seed") = nb::none());
  module.def("dropout", [](nb::handle x, double rate) {
    return dropout(Operand(to_tensor(x), caller()), rate, training_clock().draw());
  });
}

}  // namespace plimsoll::python
