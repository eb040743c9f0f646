#include "python/bindings/settings.h"

#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/kept_names.h"
#include "plimsoll/nn/layers/layer_list.h"
#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/nn/metrics/metric_list.h"
#include "plimsoll/nn/operations/operation_list.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/nn/optimizers/schedule_list.h"
#include "plimsoll/ops/elementwise/activations.h"

namespace plimsoll::python {
namespace {

// A setting is read as a layer's config has it.
template <class Setting>
Setting read(nb::handle config, const char* what) {
  Setting setting;
  const Json json = {{"setting", to_json(config)}};
  Fields fields(json, what);
  fields.with("setting", setting);
  return setting;
}

template <class Setting>
nb::object written(Setting setting) {
  Fields fields;
  fields.with("setting", setting);
  return from_json(fields.config()["setting"]);
}

template <class Rows>
nb::list class_names(const Rows& rows) {
  nb::list names;
  for (const auto& row : rows)
    if (!row.class_name.empty())
      names.append(nb::str(row.class_name.data(), row.class_name.size()));
  return names;
}

nb::list names_of(const std::vector<std::string_view>& names) {
  nb::list list;
  for (const std::string_view name : names) list.append(nb::str(name.data(), name.size()));
  return list;
}

nb::dict rows() {
  nb::dict rows;
  rows["layers"] = class_names(layer_list());
  rows["losses"] = class_names(loss_list());
  rows["metrics"] = class_names(metric_list());
  rows["optimizers"] = class_names(optimizer_list());
  rows["schedules"] = class_names(schedule_list());
  rows["initializers"] = names_of(initializer_names());
  rows["activations"] = names_of(activation_names());
  rows["operations"] = class_names(operation_list());
  nb::dict functions;
  for (const LossKind& kind : loss_list()) {
    nb::list names;
    for (const std::string_view name : {kind.name, kind.short_name, kind.old_name})
      if (!name.empty()) names.append(nb::str(name.data(), name.size()));
    functions[nb::str(kind.class_name.data(), kind.class_name.size())] = names;
  }
  rows["loss_functions"] = functions;
  nb::dict arguments;  // of the operations' calls; all else are settings
  for (const OperationKind& kind : operation_list())
    arguments[nb::str(kind.class_name.data(), kind.class_name.size())] =
        nb::cast(std::vector<std::string>(kind.arguments.begin(), kind.arguments.end()));
  rows["operation_arguments"] = arguments;
  return rows;
}

nb::object config_in(const std::function<void(Fields&)>& describe) {
  Fields fields;
  describe(fields);
  return from_json(fields.config());
}

nb::object default_config(const std::string& kind, const std::string& name) {
  const KeptNames names;
  if (kind == "layers") {
    const LayerKind* row = find_layer(name);
    if (row == nullptr) return nb::none();
    const Layer example = row->example();
    return config_in([&](Fields& fields) { example->config_fields(fields); });
  }
  if (kind == "losses") {
    const LossKind* row = find_loss(name);
    if (row == nullptr) return nb::none();
    const Loss loss = row->make();
    return loss.origin().settings ? config_in(loss.origin().settings) : nb::object(nb::dict());
  }
  if (kind == "metrics")
    for (const MetricKind& row : metric_list())
      if (row.class_name == name && row.make != nullptr) {
        const Metric metric = row.make(row.name);
        return config_in([&](Fields& fields) { metric.body().config_fields(fields); });
      }
  if (kind == "optimizers")
    for (const OptimizerKind& row : optimizer_list())
      if (row.class_name == name) {
        const Optimizer optimizer = row.make();
        return config_in([&](Fields& fields) { optimizer->config_fields(fields); });
      }
  return nb::none();
}

}  // namespace

Initializer initializer_of(nb::handle config) {
  return config.is_none() ? Initializer("glorot_uniform")
                          : read<Initializer>(config, "initializer");
}

Regularizer regularizer_of(nb::handle config) {
  return config.is_none() ? Regularizer() : read<Regularizer>(config, "regularizer");
}

Constraint constraint_of(nb::handle config) {
  return config.is_none() ? Constraint() : read<Constraint>(config, "constraint");
}

void bind_settings(nb::module_& module) {
  module.def("rows", rows);
  module.def("default_config", default_config);
  nb::class_<Initializer>(module, "Initializer")
      .def("config", [](const Initializer& i) { return written(i); })
      .def(
          "values",
          [](const Initializer& i, nb::handle shape, int64_t seed, const std::string& path) {
            return i.values(to_shape(shape), seed, path);
          },
          NeedsThreads());
  nb::class_<Regularizer>(module, "Regularizer")
      .def("config", [](const Regularizer& r) { return written(r); })
      .def("__call__", [](const Regularizer& r, nb::handle x) { return r(to_tensor(x)); });
  nb::class_<Constraint>(module, "Constraint")
      .def("config", [](const Constraint& c) { return written(c); })
      .def("__call__", [](const Constraint& c, nb::handle x) { return c(to_tensor(x)); });
  module.def("initializer_from_config", initializer_of, nb::arg("config").none());
  module.def("regularizer_from_config", regularizer_of, nb::arg("config").none());
  module.def("constraint_from_config", constraint_of, nb::arg("config").none());
}

}  // namespace plimsoll::python
