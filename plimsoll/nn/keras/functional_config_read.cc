#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/functional_config.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/nn/layers/layer_list.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/operations/operation.h"
#include "plimsoll/nn/operations/operation_list.h"

namespace plimsoll {
namespace {

constexpr size_t kMostLayers = 20000;

bool is_whole(const Json& json) {
  return json.is_number_integer() && json >= 0 && json < 1'000'000'000;
}

// ["dense", 0, 0], perhaps with a fourth element, Keras 2's keyword arguments.
bool is_history(const Json& json) {
  return json.is_array() && json.size() >= 3 && json[0].is_string() && is_whole(json[1]) &&
         is_whole(json[2]);
}

bool is_tensor(const Json& json) {
  return json.is_object() && json.value("class_name", "") == "__keras_tensor__";
}

// Where a tensor comes from: output `output` of call `call` of the layer called `layer`.
struct History {
  std::string layer;
  size_t call = 0;
  size_t output = 0;
};

// One call of a layer, as the file describes it.
struct Call {
  std::string layer;
  const Json* node = nullptr;
  std::vector<History> needs = {};  // every tensor in its arguments
};

class Reader {
 public:
  explicit Reader(const Json& config) : config_(config) {}

  std::shared_ptr<Network> read() {
    Fields fields(config_, "Functional");
    bool trainable = true;
    fields.with("name", name_).with("trainable", trainable);
    const Json* layers = fields.find("layers");
    if (layers == nullptr || !layers->is_array()) refuse("its config has no list of layers");
    if (layers->size() > kMostLayers)
      refuse(fmt::format("has {} layers, at most {} are read", layers->size(), kMostLayers));
    for (const Json& layer : *layers) read_layer(layer);
    make_calls();
    auto [inputs, input_structure] = ends(fields.find("input_layers"), "input_layers");
    auto [outputs, output_structure] = ends(fields.find("output_layers"), "output_layers");
    auto network = std::make_shared<FunctionalBody>(inputs, outputs, name_);
    network->let_training_be_noted_only();
    network->set_structure(std::move(input_structure), std::move(output_structure));
    network->set_own_trainable(trainable);
    return network;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InvalidArgument(name_ + ": " + what);
  }

  void read_layer(const Json& json) {
    const KerasObject object = read_keras_object(json, name_ + ": a layer");
    std::string name = json.value("name", "");
    if (name.empty()) name = object.config->value("name", "");
    if (name.empty()) refuse("a layer of class " + object.class_name + " has no name");
    if (json_of_.contains(name)) refuse("two layers are called '" + name + "'");
    json_of_[name] = &json;
    std::vector<Tensors>& made = tensors_[name];
    if (object.class_name == "InputLayer") {
      Json config = *object.config;
      config["name"] = name;
      made.push_back(input_tensor(config));
      return;
    }
    if (!is_operation(object)) layers_[name] = layer_from_json(json);
    const auto nodes = json.find("inbound_nodes");
    if (nodes == json.end() || !nodes->is_array()) refuse("'" + name + "' has no inbound_nodes");
    for (const Json& node : *nodes) {
      is_keras_2_ = is_keras_2_ || node.is_array();
      Call call{name, &node};
      gather(node, call.needs);
      pending_.push_back(std::move(call));
    }
    made.resize(nodes->size());
  }

  // In old files an operation has no module. Some have the name of a layer (Add); but only a layer
  // has a dtype.
  static bool is_operation(const KerasObject& object) {
    if (!object.module.empty()) return ::plimsoll::is_operation(object.module, object.class_name);
    if (find_layer(object.class_name) == nullptr)
      return find_operation(object.class_name) != nullptr;
    return !object.config->contains("dtype") && !object.config->contains("trainable");
  }

  static Tensors input_tensor(const Json& config) {
    const Layer layer = input_from_json(config);
    return {input_of(layer)};
  }

  void gather(const Json& json, std::vector<History>& found) const {
    if (is_tensor(json)) {
      const Json config = json.value("config", Json::object());
      const Json history = config.value("keras_history", Json());
      if (!is_history(history)) refuse("a tensor has no keras_history");
      found.push_back(history_of(history));
    } else if (is_history(json)) {
      found.push_back(history_of(json));
      if (json.size() > 3) gather(json[3], found);
    } else if (json.is_structured()) {
      for (const Json& part : json) gather(part, found);
    }
  }

  static History history_of(const Json& json) {
    return {json[0].get<std::string>(), json[1].get<size_t>(), json[2].get<size_t>()};
  }

  bool is_made(const History& history) const {
    const auto found = tensors_.find(history.layer);
    if (found == tensors_.end())
      refuse("a layer reads '" + history.layer + "', which is not among the layers");
    const size_t call = call_of(history);
    return call < found->second.size() && !found->second[call].empty();
  }

  // Keras 2 counts the calls of a network inside from 1, because its own definition is call 0.
  size_t call_of(const History& history) const {
    const auto layer = layers_.find(history.layer);
    const auto* network =
        layer == layers_.end() ? nullptr : dynamic_cast<const Network*>(layer->second.body().get());
    const bool from_one = is_keras_2_ && network != nullptr && !network->inputs().empty();
    return from_one && history.call > 0 ? history.call - 1 : history.call;
  }

  const Tensor& tensor(const History& history) const {
    if (!is_made(history)) refuse("reads a call of '" + history.layer + "' that does not exist");
    const Tensors& outputs = tensors_.at(history.layer)[call_of(history)];
    if (history.output >= outputs.size())
      refuse(fmt::format("reads output {} of '{}', which has {}", history.output, history.layer,
                         outputs.size()));
    return outputs[history.output];
  }

  // Files list layers in the order of depth, so one walk nearly always suffices; a shared layer may
  // need another.
  void make_calls() {
    while (!pending_.empty()) {
      std::vector<Call> waiting;
      for (Call& call : pending_) {
        bool ready = true;
        for (const History& need : call.needs) ready = ready && is_made(need);
        if (ready)
          make_call(call);
        else
          waiting.push_back(std::move(call));
      }
      if (waiting.size() == pending_.size())
        refuse("the calls of its layers form a loop, or read a tensor that does not exist (at '" +
               waiting[0].layer + "')");
      pending_ = std::move(waiting);
    }
  }

  void make_call(const Call& call) {
    std::vector<Tensors>& made = tensors_[call.layer];
    size_t index = 0;
    const Json& nodes = (*json_of_[call.layer])["inbound_nodes"];
    while (&nodes[index] != call.node) ++index;
    const auto layer = layers_.find(call.layer);
    if (layer == layers_.end()) {
      Tensors inputs;
      for (const History& need : call.needs) inputs.push_back(tensor(need));
      made[index] = operation_from_json(*json_of_[call.layer], *call.node)(inputs);
      return;
    }
    auto [inputs, options] = arguments(call);
    made[index] = layer->second(inputs, options);
  }

  struct Arguments {
    Tensors inputs;
    CallOptions options;
  };

  Arguments arguments(const Call& call) const {
    Arguments found;
    const Json& node = *call.node;
    if (node.is_object()) {
      add_inputs(node.value("args", Json::array()), found.inputs);
      read_keywords(call.layer, node.value("kwargs", Json::object()), found);
      return found;
    }
    // Keras 2: a list of histories, the first with the keyword arguments.
    add_inputs(node, found.inputs);
    if (node.is_array() && !node.empty() && node[0].is_array() && node[0].size() > 3)
      read_keywords(call.layer, node[0][3], found);
    return found;
  }

  void add_inputs(const Json& json, Tensors& inputs) const {
    if (is_history(json)) return inputs.push_back(tensor(history_of(json)));
    std::vector<History> found;
    if (json.is_array() && !is_tensor(json))
      for (const Json& part : json) add_inputs(part, inputs);
    else
      gather(json, found);
    for (const History& history : found) inputs.push_back(tensor(history));
  }

  void read_keywords(const std::string& layer, const Json& keywords, Arguments& found) const {
    // Inputs by name come in the order of the layer's arguments, not of the file.
    for (const char* name : {"inputs", "sequences", "query", "value", "key"})
      if (keywords.contains(name)) add_inputs(keywords[name], found.inputs);
    for (const auto& [name, value] : keywords.items())
      if (!value.is_null()) read_keyword(layer, name, value, found.options);
  }

  void read_keyword(const std::string& layer, const std::string& name, const Json& value,
                    CallOptions& options) const {
    Tensors tensors;
    add_inputs(value, tensors);
    if (name == "training" && value.is_boolean()) {
      options.training = value.get<bool>();
    } else if (name == "mask" && value.is_array() && !is_history(value)) {
      // Keras writes the masks that come with several inputs. Here, too, they come with the inputs.
    } else if (name == "mask" && tensors.size() == 1) {
      options.mask = tensors[0];
    } else if (name == "attention_mask" && tensors.size() == 1) {
      options.attention_mask = tensors[0];
    } else if (name == "initial_state") {
      options.initial_state = tensors;
    } else if (name == "use_causal_mask" && value.is_boolean()) {
      options.use_causal_mask = value.get<bool>();
    } else if (name == "return_attention_scores" && value.is_boolean()) {
      options.return_attention_scores = value.get<bool>();
    } else if (name != "inputs" && name != "sequences" && name != "query" && name != "value" &&
               name != "key") {
      refuse("'" + layer + "' is called with " + name + ", which is not known here");
    }
  }

  struct Ends {
    Tensors tensors;
    FunctionalBody::Structure structure;
  };

  Ends ends(const Json* json, const std::string& what) const {
    using Kind = FunctionalBody::Structure::Kind;
    if (json == nullptr || !json->is_structured()) refuse("its config has no " + what);
    if (is_history(*json)) return {{end(*json)}, {Kind::one}};
    Ends found{{}, {json->is_object() ? Kind::names : Kind::list}};
    for (const auto& [key, value] : json->items()) {
      if (!is_history(value)) refuse(what + " is nested deeper than a list of tensors");
      found.tensors.push_back(end(value));
      if (json->is_object()) found.structure.keys.push_back(key);
    }
    return found;
  }

  // Here, and only here, Keras 3 counts the calls of a functional model from 1.
  const Tensor& end(const Json& json) const {
    History history = history_of(json);
    const auto layer = layers_.find(history.layer);
    const bool from_one =
        layer != layers_.end() && dynamic_cast<const FunctionalBody*>(layer->second.body().get());
    if (from_one && !is_keras_2_ && history.call > 0) --history.call;
    return tensor(history);
  }

  const Json& config_;
  std::string name_ = "functional";
  std::map<std::string, const Json*> json_of_;
  std::map<std::string, Layer> layers_;                  // operations are made at their calls
  std::map<std::string, std::vector<Tensors>> tensors_;  // by layer and call; empty until made
  std::vector<Call> pending_;
  bool is_keras_2_ = false;  // its calls are lists
};

}  // namespace

std::shared_ptr<Network> functional_from_json(const Json& config) {
  return Reader(config).read();
}

}  // namespace plimsoll
