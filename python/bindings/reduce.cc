#include "python/bindings/reduce.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>

#include "plimsoll/nn/clock.h"
#include "plimsoll/train/reduce/case_folder.h"

namespace plimsoll::python {
namespace {

// True from the first Ctrl-C on, which is then dealt with.
class Interrupt {
 public:
  bool is_there() {
    if (is_there_) return true;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) {
      PyErr_Clear();
      is_there_ = true;
    }
    return is_there_;
  }

 private:
  bool is_there_ = false;
};

// The text of case.json. Random numbers of the program go on as if nothing had been tried.
std::string reduce_model(const Model& model, const Dataset& data, const std::string& out,
                         int64_t epochs, std::optional<int64_t> batch_size, bool shuffle,
                         int64_t seed, bool allow_not_finite, double seconds) {
  const nb::gil_scoped_release release;
  Interrupt interrupt;
  ReduceOptions options{.seconds = seconds, .is_stopped = [&] { return interrupt.is_there(); }};
  options.fit.epochs = epochs;
  options.fit.batch_size = batch_size;
  options.fit.shuffle = shuffle;
  options.fit.seed = seed;
  options.fit.reading.allow_not_finite = allow_not_finite;
  std::string text;
  write_case(reduce(model, data, options), out,
             [&](const std::string&, const ReducedCase& shown) { text = case_json(shown); });
  return text;
}

}  // namespace

void bind_reduce(nb::module_& module) {
  module.def("reduce", reduce_model, nb::arg("model"), nb::arg("data"), nb::arg("out"),
             nb::arg("epochs"), nb::arg("batch_size").none(), nb::arg("shuffle"), nb::arg("seed"),
             nb::arg("allow_not_finite"), nb::arg("seconds"), NeedsThreads());
}

}  // namespace plimsoll::python
