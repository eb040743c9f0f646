// The class Model: compile, fit, evaluate, predict, plan, files.
#include "plimsoll/train/model.h"

#include <nanobind/stl/map.h>

#include <nlohmann/json.hpp>

#include "plimsoll/graph/node.h"
#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/files/weight_file.h"
#include "plimsoll/train/fit.h"
#include "python/bindings/arrays.h"
#include "python/bindings/callback.h"
#include "python/bindings/python_layer.h"
#include "python/bindings/python_words.h"
#include "python/bindings/run_options.h"

namespace plimsoll::python {
namespace {

nb::list list_of(const Tensors& tensors) {
  nb::list list;
  for (const Tensor& tensor : tensors) list.append(tensor);
  return list;
}

// None, one, a list with None for outputs that have none, or a dict by output.
template <class T, class Convert>
PerOutput<T> per_output(nb::handle given, const Convert& convert) {
  PerOutput<T> found;
  if (given.is_none()) return found;
  if (nb::isinstance<nb::dict>(given)) {
    for (const auto& [name, value] : nb::borrow<nb::dict>(given))
      found.add(nb::cast<std::string>(name), convert(value));
  } else if (nb::isinstance<nb::list>(given)) {
    for (const nb::handle value : given) found.values.push_back(convert(value));
  } else {
    return PerOutput<T>(convert(given));
  }
  return found;
}

Loss loss_or_none(nb::handle value) {
  return value.is_none() ? Loss() : nb::cast<Loss>(value);
}

OutputMetrics metrics_of(nb::handle list) {
  OutputMetrics metrics;
  for (const nb::handle metric : list) metrics.push_back(nb::cast<Metric>(metric.attr("kept")()));
  return metrics;
}

Metrics all_metrics(nb::handle given) {
  if (given.is_none()) return {};
  if (nb::isinstance<nb::dict>(given)) {
    MetricsByOutput named;
    for (const auto& [name, list] : nb::borrow<nb::dict>(given))
      named[nb::cast<std::string>(name)] = metrics_of(list);
    return Metrics(named);
  }
  std::vector<OutputMetrics> lists;
  for (const nb::handle list : given) lists.push_back(metrics_of(list));
  return Metrics(lists);
}

void compile(Model& model, const Optimizer& optimizer, nb::handle loss, nb::handle loss_weights,
             nb::handle metrics, nb::handle weighted_metrics, const std::string& own_objective) {
  model.compile({.optimizer = optimizer,
                 .loss = per_output<Loss>(loss, loss_or_none),
                 .loss_weights = per_output<double>(
                     loss_weights, [](nb::handle value) { return nb::cast<double>(value); }),
                 .metrics = all_metrics(metrics),
                 .weighted_metrics = all_metrics(weighted_metrics),
                 .own_objective = own_objective});
}

nb::dict dict_of(const Logs& logs) {
  nb::dict dict;
  for (const auto& [name, value] : logs) dict[name.c_str()] = value;
  return dict;
}

nb::dict plan_dict(const MemoryPlan& plan) {
  nb::dict dict;
  dict["batch_size"] = plan.batch_size;
  dict["peak_bytes"] = plan.peak_bytes;
  dict["baseline_bytes"] = plan.baseline_bytes;
  dict["weight_bytes"] = plan.weight_bytes;
  dict["optimizer_bytes"] = plan.optimizer_bytes;
  dict["input_bytes"] = plan.input_bytes;
  dict["callback_bytes"] = plan.callback_bytes;
  dict["arena_bytes"] = plan.arena_bytes;
  dict["part_size"] = plan.part_size;
  dict["saving"] = plan.saving_text();
  dict["step_seconds"] = plan.step_seconds;
  dict["text"] = plan.to_string();
  nb::list layers;
  for (const MemoryPlan::Row& row : plan.layers) {
    nb::dict layer;
    layer["layer"] = row.layer;
    layer["weight_bytes"] = row.weight_bytes;
    layer["gradient_bytes"] = row.gradient_bytes;
    layer["optimizer_bytes"] = row.optimizer_bytes;
    layer["activation_bytes"] = row.activation_bytes;
    layer["live_at_peak_bytes"] = row.live_at_peak_bytes;
    layer["scratch_bytes"] = row.scratch_bytes;
    layers.append(layer);
  }
  dict["layers"] = layers;
  return dict;
}

nb::dict fit(Model& model, const Dataset& data, const nb::dict& options) {
  FitOptions read = fit_options(options);
  std::optional<nb::python_error> raised;
  read.checkpoints.wish = [&raised] {
    if (const auto found = raised_by_signal()) raised.emplace(*found);
    return raised ? CheckpointWish::save_and_stop : CheckpointWish::none;
  };
  History history;
  try {
    const bool is_balanced = asks_for_balance(options),
               has_own = read.validation_data.source != nullptr;
    const nb::gil_scoped_release release;
    if (is_balanced)
      read.class_weight = balanced_weights(data, has_own ? 0 : read.validation_split);
    history = model.fit(data, read);
  } catch (const Interrupted&) {
    if (raised) throw *raised;
    throw;
  }
  nb::dict found;
  found["epoch"] = history.epoch;
  nb::dict epochs;
  for (const auto& [name, values] : history.epochs) epochs[name.c_str()] = values;
  found["history"] = epochs;
  found["plan"] = plan_dict(history.memory);
  found["measured_peak_bytes"] = history.measured_peak_bytes;
  found["step_seconds"] = history.measured_step_seconds;
  found["data_wait_share"] = history.data_wait_share;
  return found;
}

nb::dict evaluate_model(Model& model, const Dataset& data, const nb::dict& options) {
  const EvaluateOptions read = evaluate_options(options);
  Logs logs;
  {
    const nb::gil_scoped_release release;
    logs = model.evaluate(data, read);
  }
  return dict_of(logs);
}

nb::list predict_model(Model& model, const Dataset& data, const nb::dict& options) {
  const PredictOptions read = predict_options(options);
  Tensors outputs;
  {
    const nb::gil_scoped_release release;
    outputs = model.predict(data, read);
  }
  return list_of(outputs);
}

Specs specs_from(nb::handle list) {
  Specs specs;
  for (const nb::handle pair : list) specs.push_back({dtype_of(pair[0]), to_shape(pair[1])});
  return specs;
}

nb::dict plan(Model& model, nb::handle fields, int64_t batch_size, std::vector<std::string> names,
              int targets, std::optional<int64_t> budget) {
  return plan_dict(model.plan(specs_from(fields), batch_size,
                              {.names = std::move(names), .targets = targets},
                              {.budget_bytes = budget}));
}

nb::list ports_of(const Ports& ports) {
  nb::list list;
  for (const Port& port : ports)
    list.append(nb::make_tuple(port.name, dtype_name(port.spec.dtype), shape_of(port.spec)));
  return list;
}

// The Python object of a model class owns the model, so the model does not keep the object.
std::shared_ptr<Network> network_of(const Layer& layer) {
  return std::dynamic_pointer_cast<Network>(layer.body());
}

void set_structure(Model& model, const std::string& inputs, std::vector<std::string> input_keys,
                   const std::string& outputs, std::vector<std::string> output_keys) {
  using Kind = FunctionalBody::Structure::Kind;
  const auto kind = [](const std::string& name) {
    return name == "one" ? Kind::one : (name == "list" ? Kind::list : Kind::names);
  };
  if (auto* functional = dynamic_cast<FunctionalBody*>(&model.network()))
    functional->set_structure({kind(inputs), std::move(input_keys)},
                              {kind(outputs), std::move(output_keys)});
}

nb::dict structure_of(Model& model) {
  nb::dict found;
  const auto* functional = dynamic_cast<const FunctionalBody*>(&model.network());
  if (functional == nullptr) return found;
  using Kind = FunctionalBody::Structure::Kind;
  const auto told = [](const FunctionalBody::Structure& structure) {
    const char* kind = structure.kind == Kind::one    ? "one"
                       : structure.kind == Kind::list ? "list"
                                                      : "names";
    return nb::make_tuple(kind, structure.keys);
  };
  found["inputs"] = told(functional->input_structure());
  found["outputs"] = told(functional->output_structure());
  return found;
}

Tensors tensors_of(const Node& node) {
  Tensors outputs;
  for (size_t i = 0; i < node.specs.size(); ++i)
    outputs.push_back(node.output(static_cast<int>(i)));
  return outputs;
}

// The symbolic tensors of a functional model's definition: its inputs and its outputs.
nb::object symbolic(Model& model) {
  const auto* functional = dynamic_cast<const FunctionalBody*>(&model.network());
  if (functional == nullptr) return nb::none();
  Tensors inputs, outputs;
  for (size_t i = 0; i < functional->inputs().size(); ++i)
    inputs.push_back(functional->steps()[i].node->output(0));
  for (const FunctionalBody::Source& source : functional->output_sources())
    outputs.push_back(
        source.step < 0
            ? Tensor(source.outside)
            : functional->steps()[static_cast<size_t>(source.step)].node->output(source.output));
  return nb::make_tuple(list_of(inputs), list_of(outputs));
}

// What a layer takes and gives in the definition, where it is first called; None: it is not there.
nb::object tensors_of_layer(Model& model, const Layer& layer) {
  const auto* functional = dynamic_cast<const FunctionalBody*>(&model.network());
  if (functional == nullptr) return nb::none();
  for (const FunctionalBody::Step& step : functional->steps()) {
    if (step.layer.get() != layer.body().get()) continue;
    Tensors inputs;
    for (size_t i = 0; i < step.node->inputs.size(); ++i)
      inputs.push_back(step.node->input(static_cast<int>(i)));
    return nb::make_tuple(list_of(inputs), list_of(tensors_of(*step.node)));
  }
  return nb::none();
}

// `compile` is called with the model, the optimizer and the compile settings of the file as text.
nb::dict load(const std::string& path, bool weights, nb::handle compile) {
  LoadOptions options{.weights = weights};
  if (!compile.is_none())
    options.compile = [&](Model& model, const Optimizer& optimizer, const std::string& settings) {
      return nb::cast<bool>(compile(model, optimizer, settings));
    };
  LoadedModel loaded = load_model(path, options);
  nb::dict found;
  found["model"] = loaded.model;
  found["compiled"] = loaded.compiled;
  nb::list notes;
  for (const Finding& note : loaded.notes)
    notes.append(in_python_words(note.where + ": " + note.what));
  found["notes"] = notes;
  return found;
}

void bind_runs(nb::class_<Model>& type) {
  type.def("compile", compile, nb::arg("optimizer"), nb::arg("loss").none(),
           nb::arg("loss_weights").none(), nb::arg("metrics").none(),
           nb::arg("weighted_metrics").none(), nb::arg("own_objective") = "", NeedsThreads())
      .def_prop_ro("compiled", &Model::compiled)
      .def("fit", fit, NeedsThreads())
      .def("evaluate", evaluate_model, NeedsThreads())
      .def("predict", predict_model, NeedsThreads())
      .def(
          "train_on_batch",
          [](Model& m, nb::handle x, nb::handle y, nb::handle weight) {
            return dict_of(m.train_on_batch(to_tensors(x), to_tensors(y),
                                            {.sample_weight = to_tensors(weight)}));
          },
          NeedsThreads())
      .def(
          "test_on_batch",
          [](Model& m, nb::handle x, nb::handle y, nb::handle weight) {
            return dict_of(m.test_on_batch(to_tensors(x), to_tensors(y),
                                           {.sample_weight = to_tensors(weight)}));
          },
          NeedsThreads())
      .def("plan", plan, nb::arg("fields"), nb::arg("batch_size"), nb::arg("names"),
           nb::arg("targets"), nb::arg("budget_bytes").none(), NeedsThreads())
      .def("reset_states", &Model::reset_states, NeedsThreads())
      .def_prop_rw(
          "stop_training", [](Model& m) { return m.stop_training(); },
          [](Model& m, bool stop) { m.stop_training() = stop; });
}

}  // namespace

void bind_models(nb::module_& module) {
  nb::class_<Model> type(module, "Model", nb::is_weak_referenceable());
  type.def("__init__",
           [](Model* self, const Layer& network) { new (self) Model(network_of(network)); })
      .def_static("functional",
                  [](nb::handle inputs, nb::handle outputs, const std::string& name) {
                    return Model(to_tensors(inputs), to_tensors(outputs), name);
                  })
      .def_static("sequential",
                  [](const std::string& name) {
                    return Model(std::make_shared<SequentialBody>(Layers(), name));
                  })
      .def_static("from_json",
                  [](nb::handle config) { return Model(network_from_json(to_json(config))); })
      .def("add",
           [](Model& m, const Layer& layer) {
             dynamic_cast<SequentialBody&>(m.network()).add(Layer(kept(layer.body())));
           })
      .def("pop", [](Model& m) { dynamic_cast<SequentialBody&>(m.network()).pop(); })
      .def_prop_ro(
          "layer",
          [](Model& m) {
            return Layer(std::shared_ptr<LayerBody>(std::make_shared<Model>(m), &m.network()));
          })
      .def("layers", [](const Model& m) { return m.layers(); })
      .def("inputs", [](const Model& m) { return ports_of(m.network().inputs()); })
      .def("outputs", [](const Model& m) { return ports_of(m.network().outputs()); })
      .def("set_structure", set_structure)
      .def("structure", structure_of)
      .def("symbolic", symbolic)
      .def("tensors_of_layer", tensors_of_layer)
      .def("summary", &Model::summary)
      .def("config", [](const Model& m) { return from_json(network_to_json(m.network())); })
      .def("optimizer", [](const Model& m) { return m.optimizer(); })
      .def(
          "save", [](const Model& m, const std::string& path) { m.save(path); }, NeedsThreads())
      .def(
          "save_archive",
          [](const Model& m, const std::string& config, const std::string& path) {
            save_archive(m, config, path);
          },
          NeedsThreads())
      .def(
          "save_weights", [](const Model& m, const std::string& path) { m.save_weights(path); },
          NeedsThreads())
      .def(
          "load_weights", [](Model& m, const std::string& path) { m.load_weights(path); },
          NeedsThreads());
  bind_runs(type);
  module.def("load_model", load, nb::arg("path"), nb::arg("weights") = true,
             nb::arg("compile").none() = nb::none(), NeedsThreads());
}

}  // namespace plimsoll::python
