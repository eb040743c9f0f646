// The class Layer: handles to layers of the engine and of Python programs.
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/foreign_layers.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/layers/activity_penalties.h"
#include "plimsoll/nn/layers/layer_call.h"
#include "plimsoll/nn/layers/layer_list.h"
#include "plimsoll/nn/layers/layer_state.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/recurrent/recurrent_layer.h"
#include "plimsoll/nn/shapes_only.h"
#include "python/bindings/python_layer.h"
#include "python/bindings/settings.h"

namespace plimsoll::python {
namespace {

Tensor optional_tensor(const nb::dict& options, const char* key) {
  const nb::object found = options.get(key, nb::none());
  return found.is_none() ? Tensor() : to_tensor(found);
}

CallOptions call_options(const nb::dict& options) {
  CallOptions found;
  const nb::object training = options.get("training", nb::none());
  if (!training.is_none()) found.training = nb::cast<bool>(nb::bool_(training));
  found.mask = optional_tensor(options, "mask");
  found.attention_mask = optional_tensor(options, "attention_mask");
  found.use_causal_mask = nb::cast<bool>(options.get("use_causal_mask", nb::bool_(false)));
  found.return_attention_scores =
      nb::cast<bool>(options.get("return_attention_scores", nb::bool_(false)));
  found.form = nb::cast<int>(options.get("form", nb::int_(0)));
  const nb::object state = options.get("initial_state", nb::none());
  if (!state.is_none()) found.initial_state = to_tensors(state);
  return found;
}

nb::list list_of(const Tensors& tensors) {
  nb::list list;
  for (const Tensor& tensor : tensors) list.append(tensor);
  return list;
}

nb::list call(const Layer& layer, nb::handle inputs, const nb::dict& options) {
  return list_of(Layer(kept(layer.body()))(to_tensors(inputs), call_options(options), caller()));
}

Layer python_layer(nb::handle object, const std::string& name, bool is_network) {
  std::shared_ptr<LayerBody> body;
  if (is_network)
    body = std::make_shared<PythonNetwork>(object);
  else
    body = std::make_shared<PythonLayer>(object);
  body->set_name(name);
  return Layer(body);
}

Variable add_weight(const Layer& layer, const std::string& name, nb::handle shape, nb::handle dtype,
                    nb::handle initializer, nb::handle regularizer, nb::handle constraint,
                    bool trainable) {
  LayerBody& body = *layer;
  const auto make = [&]<class Body>(Body& python) {
    return python.make_weight({.name = name,
                               .shape = to_shape(shape),
                               .initializer = initializer_of(initializer),
                               .regularizer = regularizer_of(regularizer),
                               .constraint = constraint_of(constraint),
                               .trainable = trainable,
                               .dtype = dtype_of(dtype)});
  };
  if (auto* python = dynamic_cast<PythonLayer*>(&body)) return make(*python);
  if (auto* network = dynamic_cast<PythonNetwork*>(&body)) return make(*network);
  throw nb::type_error("add_weight: only for layers that are written in Python");
}

void own_weight(const Layer& layer, const Variable& weight) {
  LayerBody& body = *layer;
  if (auto* python = dynamic_cast<PythonLayer*>(&body)) python->take_weight(weight);
  if (auto* network = dynamic_cast<PythonNetwork*>(&body)) network->take_weight(weight);
}

// Layers by the number under which Python names a layer that is there already.
Layer layer_in_python(const Json& json) {
  if (!json.is_object()) return {};
  const nb::gil_scoped_acquire gil;
  try {
    const nb::object found =
        nb::module_::import_("plimsoll.keras._foreign").attr("layer_of")(from_json(json));
    return found.is_none() ? Layer() : Layer(kept(nb::cast<Layer>(found).body()));
  } catch (const nb::python_error& error) {
    // A class that is not known is an error of the engine, which may do without the model.
    const nb::object refusal = nb::module_::import_("plimsoll.errors").attr("InvalidArgument");
    if (!error.matches(refusal)) throw;
    throw InvalidArgument(nb::str(error.value()).c_str());
  }
}

nb::dict state_of(const Layer& layer) {
  nb::dict numbers;
  if (const auto* keeps = dynamic_cast<const KeepsState*>(layer.body().get()))
    for (const auto& [name, values] : keeps->state().numbers)
      numbers[name.c_str()] = nb::cast(values);
  return numbers;
}

// True if no inputs whatever give it weights.
bool has_no_weights(const Layer& layer) {
  const LayerKind* kind = find_layer(std::string(layer->class_name()));
  return kind != nullptr && kind->weights.empty() && layer->children().empty();
}

// What is added to the loss while it is open, for a call that no engine's step surrounds.
class PenaltyScope {
 public:
  void open() { open_ = std::make_unique<ActivityPenalties>(); }
  void close() {
    taken_ = open_->penalties();
    open_.reset();
  }
  nb::list taken() const { return list_of(taken_); }

 private:
  std::unique_ptr<ActivityPenalties> open_;
  Tensors taken_;
};

class ShapesScope {
 public:
  void open() { open_ = std::make_unique<ShapesOnly>(); }
  void close() { open_.reset(); }

 private:
  std::unique_ptr<ShapesOnly> open_;
};

template <class Scope>
nb::class_<Scope> bind_scope(nb::module_& module, const char* name) {
  return nb::class_<Scope>(module, name)
      .def(nb::init<>())
      .def("__enter__",
           [](nb::handle self) {
             nb::cast<Scope&>(self).open();
             return nb::borrow(self);
           })
      .def("__exit__", [](Scope& scope, nb::args) { scope.close(); });
}

void bind_scopes(nb::module_& module) {
  bind_scope<PenaltyScope>(module, "PenaltyScope").def("taken", &PenaltyScope::taken);
  bind_scope<ShapesScope>(module, "ShapesOnly").def_static("is_open", &ShapesOnly::is_open);
}

void bind_properties(nb::class_<Layer>& type) {
  type.def_prop_rw(
          "name", [](const Layer& l) { return l->name(); },
          [](const Layer& l, const std::string& name) { l->set_name(name); })
      .def_prop_ro("class_name", [](const Layer& l) { return std::string(l->class_name()); })
      .def_prop_rw(
          "trainable", [](const Layer& l) { return l->trainable(); },
          [](const Layer& l, bool on) { l->set_trainable(on); })
      .def_prop_ro("built", [](const Layer& l) { return l->built(); })
      .def_prop_ro("has_no_weights", has_no_weights)
      .def_prop_ro("supports_masking", [](const Layer& l) { return l->supports_masking(); })
      .def_prop_ro("input_count", [](const Layer& l) { return l->input_count(); })
      .def_prop_ro("takes_inputs_apart", [](const Layer& l) { return l->takes_inputs_apart(); })
      .def_prop_ro("is_input", [](const Layer& l) { return as_input(*l) != nullptr; })
      .def_prop_ro(
          "is_network",
          [](const Layer& l) { return dynamic_cast<const Network*>(l.body().get()) != nullptr; })
      .def_prop_ro("key",
                   [](const Layer& l) { return reinterpret_cast<uintptr_t>(l.body().get()); })
      .def_prop_ro("python_object", [](const Layer& l) { return python_object(*l); })
      .def("weights", [](const Layer& l) { return l->weights(); })
      .def("own_weights", [](const Layer& l) { return l->own_weights(); })
      .def("trainable_variables", [](const Layer& l) { return l->trainable_variables(); })
      .def("non_trainable_variables", [](const Layer& l) { return l->non_trainable_variables(); })
      .def("losses", [](const Layer& l) { return list_of(l->losses()); })
      .def("children",
           [](const Layer& l) {
             nb::list children;
             for (const auto& child : l->children())
               children.append(nb::make_tuple(child.attribute, Layer(child.layer)));
             return children;
           })
      .def("config", [](const Layer& l) { return from_json(layer_to_json(*l)); })
      .def("state", state_of)
      .def("reset_state", [](const Layer& l) { reset_state(l); })
      .def("set_own_trainable", [](const Layer& l, bool on) { l->set_own_trainable(on); });
}

}  // namespace

void bind_layers(nb::module_& module) {
  nb::class_<Layer> type(module, "Layer", nb::is_weak_referenceable());
  type.def("__call__", call, nb::arg("inputs"), nb::arg("options") = nb::dict());
  bind_properties(type);
  module.def("python_layer", python_layer);
  module.def("add_weight", add_weight, nb::arg("layer"), nb::arg("name"), nb::arg("shape"),
             nb::arg("dtype"), nb::arg("initializer").none(), nb::arg("regularizer").none(),
             nb::arg("constraint").none(), nb::arg("trainable"));
  module.def("own_weight", own_weight);
  bind_scopes(module);
  module.def("layer_from_config",
             [](nb::handle config) { return layer_from_json(to_json(config)); });
  module.def("add_penalty", [](nb::handle x) { ActivityPenalties::add(to_tensor(x)); });
  module.def("unique_name", [](const std::string& name) { return unique_name(name); });
  module.def("snake_case", [](const std::string& name) { return snake_case(name); });
  module.def("reset_names", reset_names);
  module.def("called_layer", [](const Tensor& x) {
    const auto body = called_layer(*x.value().node);
    return body == nullptr ? nb::none() : nb::cast(Layer(body));
  });
  module.def(
      "input_layer",
      [](nb::handle shape, nb::handle batch_size, nb::handle dtype, const std::string& name) {
        InputOptions options{.shape = to_shape(shape), .dtype = dtype_of(dtype), .name = name};
        if (!batch_size.is_none()) options.batch_size = nb::cast<int64_t>(batch_size);
        return Layer(InputLayer(options));
      },
      nb::arg("shape"), nb::arg("batch_size").none(), nb::arg("dtype"), nb::arg("name"));
  module.def("input_of", [](const Layer& layer) { return input_of(layer, caller()); });
  module.def("use_python_layers", [] { set_foreign_layers(layer_in_python); });
}

}  // namespace plimsoll::python
