// Losses and metrics.
#include <nlohmann/json.hpp>

#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/nn/metrics/metric_list.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

Tensor optional(nb::handle x) {
  return x.is_none() ? Tensor() : to_tensor(x);
}

// A metric class of a Python program. As with layers, the object owns the body, which borrows it.
class PythonMetric final : public MetricBody {
 public:
  PythonMetric(nb::handle object, std::string name)
      : MetricBody(std::move(name)), object_(object) {}

  std::string_view class_name() const override { return ""; }
  void config_fields(Fields&) const override {}
  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& weight) override {
    const nb::gil_scoped_acquire gil;
    object_.attr("_core_update")(y_true, y_pred, weight.defined() ? nb::cast(weight) : nb::none());
  }
  double result() const override {
    const nb::gil_scoped_acquire gil;
    return nb::cast<double>(object_.attr("_core_result")());
  }
  Variable make_variable(const std::string& what, const Spec& spec) {
    return add_variable(what, spec);
  }
  nb::handle object() const { return object_; }

 private:
  nb::handle object_;
};

// The metric as a model may keep it: together with its Python object.
Metric kept(const Metric& metric) {
  auto* python = dynamic_cast<PythonMetric*>(&metric.body());
  if (python == nullptr) return metric;
  struct Kept {
    Kept(const Metric& m, nb::handle o) : metric(m), object(o) {}
    Metric metric;
    Reference object;
  };
  const auto both = std::make_shared<Kept>(metric, python->object());
  return Metric(std::shared_ptr<MetricBody>(both, python));
}

void bind_losses(nb::module_& module) {
  nb::class_<Loss>(module, "Loss")
      .def(
          "__init__",
          [](Loss* self, const std::string& name, nb::handle function,
             const std::string& reduction_name) {
            new (self) Loss(name, function_of_two(function), reduction(reduction_name));
          },
          nb::arg("name"), nb::arg("function"), nb::arg("reduction") = "sum_over_batch_size")
      .def_prop_ro("name", &Loss::name)
      .def(
          "__call__",
          [](const Loss& loss, nb::handle y_true, nb::handle y_pred, nb::handle weight) {
            return loss(to_tensor(y_true), to_tensor(y_pred), optional(weight), caller());
          },
          nb::arg("y_true"), nb::arg("y_pred"), nb::arg("sample_weight") = nb::none())
      .def("values",
           [](const Loss& loss, nb::handle y_true, nb::handle y_pred) {
             return loss.values(to_tensor(y_true), to_tensor(y_pred), caller());
           })
      .def("config", [](const Loss& loss) { return from_json(config_of(loss)); });
  module.def("loss_from_config",
             [](nb::handle config) { return loss_from_config(to_json(config)); });
  module.def(
      "reduce_weighted",
      [](nb::handle values, nb::handle weight, const std::string& name, nb::handle mask) {
        return reduce_weighted(to_tensor(values), optional(weight), reduction(name),
                               optional(mask));
      },
      nb::arg("values"), nb::arg("sample_weight").none(), nb::arg("reduction"),
      nb::arg("mask") = nb::none());
}

void bind_metrics(nb::module_& module) {
  nb::class_<Metric>(module, "Metric", nb::is_weak_referenceable())
      .def("__init__",
           [](Metric* self, const std::string& name, nb::handle function) {
             new (self) Metric(name, function_of_two(function));
           })
      .def_static("from_python",
                  [](nb::handle object, const std::string& name) {
                    return Metric(std::make_shared<PythonMetric>(object, name));
                  })
      .def("kept", kept)
      .def("add_variable",
           [](const Metric& metric, const std::string& name, nb::handle shape, nb::handle dtype) {
             auto* python = dynamic_cast<PythonMetric*>(&metric.body());
             if (python == nullptr)
               throw nb::type_error("add_variable: only for metrics that are written in Python");
             return python->make_variable(name, {dtype_of(dtype), to_shape(shape)});
           })
      .def_prop_ro("name", &Metric::name)
      .def(
          "update_state",
          [](const Metric& metric, nb::handle y_true, nb::handle y_pred, nb::handle weight) {
            metric.update_state(to_tensor(y_true), to_tensor(y_pred), optional(weight), caller());
          },
          nb::arg("y_true"), nb::arg("y_pred"), nb::arg("sample_weight") = nb::none())
      .def(
          "result", [](const Metric& metric) { return metric.result(); }, NeedsThreads())
      .def(
          "results", [](const Metric& metric) { return metric.results(); }, NeedsThreads())
      .def(
          "reset_state", [](const Metric& metric) { metric.reset_state(); }, NeedsThreads())
      .def("variables", [](const Metric& metric) { return metric.variables(); })
      .def("config", [](const Metric& metric) { return from_json(config_of(metric)); });
  module.def("metric_from_config",
             [](nb::handle config) { return metric_from_config(to_json(config)); });
}

}  // namespace

void bind_objectives(nb::module_& module) {
  bind_losses(module);
  bind_metrics(module);
}

}  // namespace plimsoll::python
