#include "plimsoll/nn/keras/network_config.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/feature_space_config.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/foreign_layers.h"
#include "plimsoll/nn/keras/functional_config.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

struct NamedType {
  std::string_view name;
  DType dtype;
};

// The dtype here of an input that has this dtype in Keras.
DType input_dtype(const std::string& name) {
  static constexpr NamedType kTypes[] = {
      {"float32", DType::float32}, {"float16", DType::float32}, {"bfloat16", DType::float32},
      {"float64", DType::float32}, {"int64", DType::int64},     {"uint32", DType::int64},
      {"int32", DType::int32},     {"int16", DType::int32},     {"uint16", DType::int32},
      {"int8", DType::int32},      {"uint8", DType::uint8},     {"bool", DType::boolean},
      {"string", DType::string}};
  for (const NamedType& type : kTypes)
    if (name == type.name) return type.dtype;
  if (name.starts_with("mixed_")) return DType::float32;
  throw InvalidArgument("InputLayer: the dtype '" + name + "' is not known");
}

Json sequential_to_json(const SequentialBody& network) {
  Json layers = Json::array();
  const Ports inputs = network.inputs();
  if (!inputs.empty()) layers.push_back(input_to_json(inputs[0]));
  for (const auto& child : network.children()) layers.push_back(layer_to_json(*child.layer));
  Json config = {{"name", network.name()},
                 {"trainable", network.trainable()},
                 {"dtype", float32_policy()},
                 {"layers", std::move(layers)}};
  if (!inputs.empty())
    config["build_input_shape"] = shape_to_json(shape_of_elements(inputs[0].spec));
  return keras_object("keras", "Sequential", std::move(config));
}

// Keras 2 describes the input in the first layer's config.
std::optional<Layer> input_in_first(const Json& layer_json) {
  const auto config = layer_json.find("config");
  if (!layer_json.is_object() || config == layer_json.end() || !config->is_object()) return {};
  if (!config->contains("batch_input_shape")) return {};
  Json input = {{"batch_shape", (*config)["batch_input_shape"]}};
  const auto name = config->find("name");
  if (name != config->end() && name->is_string())
    input["name"] = name->get<std::string>() + "_input";
  return input_from_json(input);
}

std::shared_ptr<Network> sequential_from_json(const Json& config) {
  std::string name = "sequential";
  bool trainable = true;
  Fields fields(config, "Sequential");
  fields.with("name", name).with("trainable", trainable);
  const Json* found = fields.find("layers");
  if (found == nullptr || !found->is_array())
    throw InvalidArgument(name + ": its config has no list of layers");
  Layers layers;
  for (const Json& json : *found) {
    Layer layer = layer_from_json(json);
    if (layers.empty() && as_input(*layer) == nullptr)
      if (std::optional<Layer> input = input_in_first(json)) layers.push_back(*input);
    layers.push_back(std::move(layer));
  }
  if (layers.empty()) throw InvalidArgument(name + ": has no layers");
  const Json* built = fields.find("build_input_shape");
  const auto* inner = dynamic_cast<const Network*>(layers[0].body().get());
  if (built != nullptr && built->is_array() && as_input(*layers[0]) == nullptr &&
      (inner == nullptr || inner->inputs().empty()))
    layers.insert(layers.begin(), input_from_json({{"batch_shape", *built}}));
  auto network = std::make_shared<SequentialBody>(layers, name);
  network->set_own_trainable(trainable);
  return network;
}

}  // namespace

bool is_network_class(std::string_view class_name) {
  return class_name == "Sequential" || class_name == "Functional" || class_name == "Model" ||
         class_name == "FeatureSpace";
}

Json layer_to_json(const LayerBody& layer) {
  if (const std::string foreign = layer.foreign_json(); !foreign.empty())
    return Json::parse(foreign);
  if (const auto* network = dynamic_cast<const Network*>(&layer)) return network_to_json(*network);
  if (const Port* port = as_input(layer)) return input_to_json(*port);
  return listed_layer_to_json(layer);
}

Layer layer_from_json(const Json& json) {
  if (const Layer foreign = foreign_layer(json); foreign.body() != nullptr) return foreign;
  const KerasObject object = read_keras_object(json, "layer");
  if (object.class_name == "InputLayer") return input_from_json(*object.config);
  if (is_network_class(object.class_name)) return Layer(network_from_json(json));
  return listed_layer_from_json(json);
}

Json network_to_json(const Network& network) {
  if (const auto* sequence = dynamic_cast<const SequentialBody*>(&network))
    return sequential_to_json(*sequence);
  if (const auto* space = dynamic_cast<const FeatureSpaceBody*>(&network))
    return feature_space_to_json(*space);
  if (const auto* functional = dynamic_cast<const FunctionalBody*>(&network))
    return functional_to_json(*functional);
  throw InvalidArgument(network.name() +
                        ": is a model class of the program, whose config the engine does not know");
}

std::shared_ptr<Network> network_from_json(const Json& json) {
  const KerasObject object = read_keras_object(json, "model");
  if (!is_network_class(object.class_name))
    throw InvalidArgument(
        "model: expected the config of a Sequential or functional model, found '" +
        object.class_name +
        "' (a model class of your own cannot be read: its call is Python code)");
  if (object.class_name == "Sequential") return sequential_from_json(*object.config);
  if (object.class_name == "FeatureSpace") return feature_space_from_json(*object.config);
  return functional_from_json(*object.config);
}

Json input_to_json(const Port& port) {
  return keras_object("keras.layers", "InputLayer",
                      {{"batch_shape", shape_to_json(shape_of_elements(port.spec))},
                       {"dtype", name_of(port.spec.dtype)},
                       {"sparse", false},
                       {"ragged", false},
                       {"name", port.name},
                       {"optional", false}});
}

Layer input_from_json(const Json& config) {
  Fields fields(config, "InputLayer");
  InputOptions options;
  Shape shape;
  fields.with("name", options.name);
  fields.with("batch_input_shape", shape).with("batch_shape", shape);
  fields.ignored("trainable").ignored("input_tensor");
  fields.only("sparse", false).only("ragged", false).only("optional", false);
  if (const Json* dtype = fields.find("dtype")) options.dtype = input_dtype(policy_name(*dtype));
  fields.finish();
  if (shape.rank() < 1) fields.refuse("'" + options.name + "' has no shape, (batch, …)");
  if (shape[0] != kUnknown) options.batch_size = shape[0];
  options.shape = shape.without(0);
  return InputLayer(options);
}

}  // namespace plimsoll
