// Optimizers and schedules of learning rates.
#include <nlohmann/json.hpp>

#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/nn/optimizers/schedule_list.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

// None where a gradient does not exist.
Tensors gradients_of(nb::handle list) {
  Tensors gradients;
  for (const nb::handle gradient : list)
    gradients.push_back(gradient.is_none() ? Tensor() : to_tensor(gradient));
  return gradients;
}

Variables variables_of(nb::handle list) {
  Variables variables;
  for (const nb::handle variable : list) variables.push_back(nb::cast<Variable>(variable));
  return variables;
}

// A schedule class of a Python program: a function of the number of the step, recorded in the step.
class PythonSchedule final : public ScheduleBody {
 public:
  explicit PythonSchedule(nb::handle function)
      : function_(std::make_shared<const Reference>(function)) {}

  std::string_view class_name() const override { return "PythonSchedule"; }
  void config_fields(Fields&) const override {}
  Tensor rate(const Tensor& iterations) const override {
    const nb::gil_scoped_acquire gil;
    return to_tensor(function_->get()(iterations), DType::float32);
  }

 private:
  ReferencePtr function_;
};

void bind_schedules(nb::module_& module) {
  nb::class_<Schedule>(module, "Schedule")
      .def_static("from_python",
                  [](nb::handle function) {
                    return Schedule(std::make_shared<const PythonSchedule>(function));
                  })
      .def("__call__",
           [](const Schedule& s, nb::handle step) { return s(to_tensor(step, DType::int64)); })
      .def("at", &Schedule::at, NeedsThreads())
      .def("config", [](const Schedule& s) { return from_json(config_of(s)); });
  module.def("schedule_from_config", [](nb::handle config) {
    return schedule_from_config(to_json(config), "learning_rate");
  });
}

}  // namespace

void bind_optimizers(nb::module_& module) {
  bind_schedules(module);
  nb::class_<Optimizer>(module, "Optimizer", nb::is_weak_referenceable())
      .def_prop_ro("name", [](const Optimizer& o) { return o->name(); })
      .def_prop_ro("class_name", [](const Optimizer& o) { return std::string(o->class_name()); })
      .def("apply_gradients",
           [](const Optimizer& o, nb::handle gradients, nb::handle variables) {
             o.apply_gradients(gradients_of(gradients), variables_of(variables), caller());
           })
      .def(
          "build",
          [](const Optimizer& o, nb::handle variables) { o->build(variables_of(variables)); },
          NeedsThreads())
      .def_prop_ro("built", [](const Optimizer& o) { return o->built(); })
      .def_prop_ro("has_schedule", [](const Optimizer& o) { return !o->learning_rate().defined(); })
      .def_prop_ro("iterations", [](const Optimizer& o) { return o->iterations(); })
      .def_prop_ro("learning_rate_variable", [](const Optimizer& o) { return o->learning_rate(); })
      .def_prop_rw(
          "learning_rate", [](const Optimizer& o) { return o->current_learning_rate(); },
          [](const Optimizer& o, double rate) { o->set_learning_rate(rate); }, NeedsThreads())
      .def("set_schedule", [](const Optimizer& o, const Schedule& s) { o->set_schedule(s); })
      .def("scale_loss",
           [](const Optimizer& o, nb::handle loss) { return o->scale_loss(to_tensor(loss)); })
      .def(
          "finalize_variable_values", [](const Optimizer& o) { o->finalize_variable_values(); },
          NeedsThreads())
      .def("exclude_from_weight_decay",
           [](const Optimizer& o, const std::vector<std::string>& names, nb::handle variables) {
             o->exclude_from_weight_decay(names, variables_of(variables));
           })
      .def("variables", [](const Optimizer& o) { return o->variables(); })
      .def("config", [](const Optimizer& o) { return from_json(config_of(o)); });
  module.def("optimizer_from_config",
             [](nb::handle config) { return optimizer_from_config(to_json(config)); });
}

}  // namespace plimsoll::python
