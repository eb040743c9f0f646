#include "plimsoll/nn/keras/layer_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/keras/refused_layers.h"
#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer_list.h"

namespace plimsoll {
namespace {

struct ConfigNotes {
  std::vector<std::string> notes;
};

std::vector<std::string>& config_notes() {
  return Context::current().part<ConfigNotes>().notes;
}

void read_policy(Fields& fields) {
  const Json* found = fields.find("dtype");
  if (found == nullptr) return;
  const std::string name = policy_name(*found);
  if (name != "float32" && !name.starts_with("int") && name != "uint8" && name != "bool")
    note_config("the dtype policy " + name + " is read as float32");
}

std::vector<std::string> known_layers() {
  std::vector<std::string> known = {"Functional", "InputLayer", "Sequential"};
  for (const LayerKind& kind : layer_list()) known.emplace_back(kind.class_name);
  return known;
}

[[noreturn]] void refuse_unknown(const std::string& name, const std::string& class_name) {
  const auto refused = std::ranges::find(refused_layers(), class_name, &RefusedLayer::class_name);
  if (refused != refused_layers().end())
    throw InvalidArgument(fmt::format("{}: a {} {} (known: {})", name, class_name, refused->reason,
                                      fmt::join(known_layers(), ", ")));
  throw InvalidArgument(not_known(name + ": the layer class", class_name, known_layers()));
}

// A FeatureSpace has two layers of its own, which do what public ones do.
std::string public_name(const std::string& class_name) {
  if (class_name == "TFDIdentity") return "Identity";
  return class_name == "TFDConcat" ? "Concatenate" : class_name;
}

std::string name_in(const KerasObject& object) {
  const auto name = object.config->find("name");
  return name != object.config->end() && name->is_string() ? name->get<std::string>()
                                                           : snake_case(object.class_name);
}

Layer known_layer(const LayerKind& kind, const KerasObject& object) {
  Fields fields(*object.config, name_in(object));
  fields.ignored("batch_input_shape").ignored("input_spec").ignored("batch_size");
  read_policy(fields);
  const Layer layer = kind.from_config(fields);
  fields.finish();
  return layer;
}

}  // namespace

Json float32_policy() {
  return keras_object("keras", "DTypePolicy", {{"name", "float32"}});
}

std::string policy_name(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  const auto config = json.find("config");
  if (json.is_object() && config != json.end() && config->is_object() && config->contains("name") &&
      (*config)["name"].is_string())
    return (*config)["name"].get<std::string>();
  return "float32";
}

Json listed_layer_to_json(const LayerBody& layer) {
  Fields told;
  layer.config_fields(told);
  Json config = {{"name", layer.name()}};
  if (layer.config_has_trainable()) config["trainable"] = layer.trainable();
  const LayerKind* kind = find_layer(layer.class_name());
  if (kind == nullptr || kind->config_has_dtype) config["dtype"] = float32_policy();
  config.update(told.config());
  const bool is_public = kind == nullptr || kind->module == kKerasLayers;
  const bool is_renamed = kind != nullptr && !kind->saved_as.empty();
  Json object = keras_object(is_public ? kKerasLayers : kind->module,
                             is_renamed ? kind->saved_as : layer.class_name(), std::move(config));
  // Keras finds a class outside of its public names by both.
  if (!is_public) object["registered_name"] = layer.class_name();
  return object;
}

Layer listed_layer_from_json(const Json& json) {
  KerasObject object = read_keras_object(json, "layer");
  object.class_name = public_name(object.class_name);
  const LayerKind* kind = find_layer(object.class_name);
  if (kind == nullptr || kind->from_config == nullptr)
    refuse_unknown(name_in(object), object.class_name);
  return known_layer(*kind, object);
}

std::vector<std::string> take_config_notes() {
  return std::exchange(config_notes(), {});
}

void note_config(const std::string& note) {
  if (std::ranges::find(config_notes(), note) == config_notes().end())
    config_notes().push_back(note);
}

Fields& Fields::with(const char* key, Layer& value) {
  if (!reading())
    write(key, value.body() == nullptr ? Json() : layer_to_json(*value));
  else if (const Json* found = find(key))
    value = layer_from_json(*found);
  return *this;
}

Fields& Fields::activation(const char* key, ActivationOption& value) {
  if (!reading()) {
    if (value.is_layer())
      write(key, layer_to_json(*value.layer()));
    else
      write(key, value.name().empty() ? "linear" : value.name());
    return *this;
  }
  const Json* found = find(key);
  if (found == nullptr) return *this;
  const KerasObject object = read_keras_object(*found, owner_ + ": " + key);
  if (find_layer(object.class_name) != nullptr && found->is_object())
    value = layer_from_json(*found);
  else
    activation(key, value.name_);
  return *this;
}

}  // namespace plimsoll
