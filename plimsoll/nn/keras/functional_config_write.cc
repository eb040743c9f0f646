#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/functional_config.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/layers/layer_call.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/operations/operation.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

using Step = FunctionalBody::Step;
using Source = FunctionalBody::Source;

class Writer {
 public:
  explicit Writer(const FunctionalBody& network)
      : network_(network), specs_(network.step_specs()) {}

  Json write() {
    for (size_t i = 0; i < network_.steps().size(); ++i) add_step(i);
    Json layers = Json::array();
    for (auto& [name, json] : layers_) layers.push_back(std::move(json));
    std::vector<Source> inputs;
    for (size_t i = 0; i < network_.inputs().size(); ++i) inputs.push_back({static_cast<int>(i)});
    Json config = {{"name", network_.name()},
                   {"trainable", network_.trainable()},
                   {"layers", std::move(layers)},
                   {"input_layers", ends(inputs, network_.input_structure())},
                   {"output_layers", ends(network_.output_sources(), network_.output_structure())}};
    return {{"module", "keras.src.models.functional"},
            {"class_name", "Functional"},
            {"config", std::move(config)},
            {"registered_name", "Functional"}};
  }

 private:
  void add_step(size_t index) {
    const Step& step = network_.steps()[index];
    Layer layer(step.layer);
    if (step.layer == nullptr) {
      const std::optional<Layer> operation = operation_of(*step.node->op, *step.node);
      if (!operation)
        throw InvalidArgument(network_.name() + ": the op " + std::string(step.node->op->name()) +
                              " has no counterpart in a Keras file; put it into a layer");
      layer = *operation;
      layer->set_name(step.name);
    }
    const auto found = layer_of_.find(step.layer.get());
    const bool is_new = step.layer == nullptr || found == layer_of_.end();
    const size_t place = is_new ? layers_.size() : found->second;
    if (is_new) {
      if (step.layer != nullptr) layer_of_[step.layer.get()] = place;
      const OperationBody* operation = as_operation(*layer);
      Json json = operation != nullptr ? operation->to_json() : layer_to_json(*layer);
      json["name"] = step.name;
      json["inbound_nodes"] = Json::array();
      layers_.emplace_back(step.name, std::move(json));
      call_counts_.push_back(0);
    }
    call_of_.push_back(call_counts_[place]++);
    if (index >= network_.inputs().size())
      layers_[place].second["inbound_nodes"].push_back(node_of(step, *layer));
  }

  Json node_of(const Step& step, const LayerBody& layer) const {
    Json edges = Json::array();
    for (const Source& source : step.sources)
      if (source.step >= 0) edges.push_back(tensor(source));
    if (const OperationBody* operation = as_operation(layer))
      return fill(operation->node_template(), edges);
    Tensors tensors;  // only their places matter
    for (size_t i = 0; i < step.sources.size(); ++i) tensors.push_back(step.node->input(int(i)));
    const LayerCall::Arguments told = as_layer_call(*step.node)->arguments(tensors);
    return {{"args", arguments(layer, edges, told.inputs.size())},
            {"kwargs", keywords(told, edges)}};
  }

  static Json arguments(const LayerBody& layer, const Json& edges, size_t count) {
    Json inputs(edges.begin(), edges.begin() + static_cast<ptrdiff_t>(count));
    if (count == 1 || layer.takes_inputs_apart()) return inputs;
    return Json::array({inputs});
  }

  static Json keywords(const LayerCall::Arguments& told, const Json& edges) {
    Json found = Json::object();
    size_t next = told.inputs.size();
    if (told.options.training) found["training"] = *told.options.training;
    if (told.options.mask.defined()) found["mask"] = edges[next++];
    if (told.options.attention_mask.defined()) found["attention_mask"] = edges[next++];
    if (told.options.use_causal_mask) found["use_causal_mask"] = true;
    if (told.options.return_attention_scores) found["return_attention_scores"] = true;
    for (size_t i = 0; i < told.options.initial_state.size(); ++i)
      found["initial_state"].push_back(edges[next++]);
    return found;
  }

  // An operation's arguments with its tensors in their places.
  static Json fill(Json json, const Json& edges) {
    if (json.is_object() && json.contains("__tensor__"))
      return edges[json["__tensor__"].get<size_t>()];
    if (json.is_structured())
      for (Json& part : json) part = fill(part, edges);
    return json;
  }

  Json tensor(const Source& source) const {
    const auto step = static_cast<size_t>(source.step);
    const Spec& spec = specs_[step][static_cast<size_t>(source.output)];
    return {{"class_name", "__keras_tensor__"},
            {"config",
             {{"shape", shape_to_json(shape_of_elements(spec))},
              {"dtype", name_of(spec.dtype)},
              {"keras_history", {network_.steps()[step].name, call_of_[step], source.output}}}}};
  }

  Json ends(const std::vector<Source>& sources, const FunctionalBody::Structure& structure) const {
    using Kind = FunctionalBody::Structure::Kind;
    Json found = structure.kind == Kind::names ? Json::object() : Json::array();
    for (size_t i = 0; i < sources.size(); ++i) {
      const auto step = static_cast<size_t>(sources[i].step);
      // Here, and only here, Keras counts the calls of a functional model from 1.
      const bool from_one = dynamic_cast<const FunctionalBody*>(network_.steps()[step].layer.get());
      Json history = {network_.steps()[step].name, call_of_[step] + (from_one ? 1 : 0),
                      sources[i].output};
      if (structure.kind == Kind::one) return history;
      if (structure.kind == Kind::names)
        found[structure.keys[i]] = std::move(history);
      else
        found.push_back(std::move(history));
    }
    return found;
  }

  const FunctionalBody& network_;
  std::vector<Specs> specs_;
  std::vector<std::pair<std::string, Json>> layers_;
  std::map<const LayerBody*, size_t> layer_of_;  // its place in layers_
  std::vector<int> call_counts_;                 // of each in layers_
  std::vector<int> call_of_;                     // by step: which call of its layer it is
};

}  // namespace

Json functional_to_json(const FunctionalBody& network) {
  return Writer(network).write();
}

}  // namespace plimsoll
