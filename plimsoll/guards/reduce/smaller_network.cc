#include "plimsoll/guards/reduce/smaller_network.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::array kSizes = {"units",     "filters", "output_dim",
                               "num_heads", "key_dim", "intermediate_dim"};

std::string name_of(const Json& layer) {
  if (const auto name = layer.find("name"); name != layer.end()) return name->get<std::string>();
  return layer.at("config").value("name", "");
}

bool is_input(const Json& layer) {
  return layer.value("class_name", "") == "InputLayer";
}

bool has_layers(const Json& network) {
  const std::string kind = network.value("class_name", "");
  return kind == "Sequential" || kind == "Functional";
}

std::optional<Json> sequence_without(Json network, const std::set<std::string>& dropped) {
  Json kept = Json::array();
  bool has_layer = false;
  for (const Json& layer : network.at("config").at("layers")) {
    if (!is_input(layer) && dropped.contains(name_of(layer))) continue;
    has_layer = has_layer || !is_input(layer);
    kept.push_back(layer);
  }
  if (!has_layer) return std::nullopt;
  network["config"]["layers"] = std::move(kept);
  return network;
}

bool is_tensor(const Json& json) {
  return json.is_object() && json.value("class_name", "") == "__keras_tensor__";
}

// The tensors in the arguments of a call.
void gather(const Json& json, std::vector<Json>& tensors) {
  if (is_tensor(json)) return tensors.push_back(json);
  if (json.is_structured())
    for (const Json& part : json) gather(part, tensors);
}

// A functional network from which layers are taken.
class Functional {
 public:
  explicit Functional(const Json& network) : network_(network) {
    for (const Json& layer : config().at("layers")) {
      order_.push_back(name_of(layer));
      layers_[order_.back()] = layer;
    }
  }

  std::optional<Json> without(const std::set<std::string>& dropped, Stands stands) {
    for (const std::string& name : dropped)
      if (!drop(name, stands)) return std::nullopt;
    const std::set<std::string> needed = needed_layers();
    Json kept = Json::array();
    bool has_layer = false;
    for (const std::string& name : order_) {
      const auto layer = layers_.find(name);
      if (layer == layers_.end()) continue;
      if (is_input(layer->second) && !needed.contains(name)) return std::nullopt;
      if (!needed.contains(name)) continue;
      has_layer = has_layer || !is_input(layer->second);
      kept.push_back(layer->second);
    }
    if (!has_layer) return std::nullopt;
    config()["layers"] = std::move(kept);
    return network_;
  }

 private:
  Json& config() { return network_["config"]; }

  // What a call of the layer read, in place of what it made.
  bool drop(const std::string& name, Stands stands) {
    const auto found = layers_.find(name);
    if (found == layers_.end()) return true;
    std::vector<Json> instead;
    for (const Json& call : found->second.at("inbound_nodes")) {
      std::vector<Json> read;
      gather(call, read);
      if (read.empty()) return false;
      instead.push_back(stands == Stands::first_input ? read.front() : read.back());
    }
    layers_.erase(found);
    for (auto& [other, layer] : layers_)
      if (layer.contains("inbound_nodes")) replace(layer["inbound_nodes"], name, instead);
    replace_end(config()["output_layers"], name, instead);
    return true;
  }

  static const Json& of_call(const std::vector<Json>& instead, size_t call) {
    return instead[std::min(call, instead.size() - 1)];
  }

  static void replace(Json& json, const std::string& name, const std::vector<Json>& instead) {
    if (is_tensor(json)) {
      const Json& history = json["config"]["keras_history"];
      if (history[0] == name) json = Json(of_call(instead, history[1].get<size_t>()));
      return;
    }
    if (json.is_structured())
      for (Json& part : json) replace(part, name, instead);
  }

  // Outputs are histories alone: ["dense", 0, 0], a list or an object of them.
  static void replace_end(Json& json, const std::string& name, const std::vector<Json>& instead) {
    if (is_history(json)) {
      if (json[0] == name)
        json = Json(of_call(instead, json[1].get<size_t>())["config"]["keras_history"]);
      return;
    }
    if (json.is_structured())
      for (Json& part : json) replace_end(part, name, instead);
  }

  static bool is_history(const Json& json) {
    return json.is_array() && json.size() == 3 && json[0].is_string() && json[1].is_number();
  }

  std::set<std::string> needed_layers() {
    std::set<std::string> needed;
    need_ends(config()["output_layers"], needed);
    return needed;
  }

  void need_ends(const Json& json, std::set<std::string>& needed) const {
    if (is_history(json)) return need(json[0].get<std::string>(), needed);
    if (json.is_structured())
      for (const Json& part : json) need_ends(part, needed);
  }

  void need(const std::string& first, std::set<std::string>& needed) const {
    std::vector<std::string> open = {first};
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      const auto layer = layers_.find(name);
      if (layer == layers_.end() || !needed.insert(name).second) continue;
      std::vector<Json> read;
      if (layer->second.contains("inbound_nodes")) gather(layer->second["inbound_nodes"], read);
      for (const Json& tensor : read)
        open.push_back(tensor["config"]["keras_history"][0].get<std::string>());
    }
  }

  Json network_;
  std::vector<std::string> order_;
  std::map<std::string, Json> layers_;
};

}  // namespace

std::vector<std::string> layers_of(const Json& network) {
  std::vector<std::string> names;
  if (!has_layers(network)) return names;
  for (const Json& layer : network.at("config").at("layers"))
    if (!is_input(layer)) names.push_back(name_of(layer));
  return names;
}

std::optional<Json> without_layers(const Json& network, const std::set<std::string>& dropped,
                                   Stands stands) {
  if (!has_layers(network)) return std::nullopt;
  if (network.value("class_name", "") == "Sequential") return sequence_without(network, dropped);
  return Functional(network).without(dropped, stands);
}

std::vector<LayerSize> sizes_of(const Json& network) {
  std::vector<LayerSize> sizes;
  if (!has_layers(network)) return sizes;
  for (const Json& layer : network.at("config").at("layers"))
    for (const char* setting : kSizes) {
      const auto config = layer.find("config");
      if (config == layer.end() || !config->is_object()) continue;
      const auto value = config->find(setting);
      if (value != config->end() && value->is_number_integer() && *value > 1)
        sizes.push_back({name_of(layer), setting, value->get<int64_t>()});
    }
  return sizes;
}

Json with_size(const Json& network, const LayerSize& size) {
  Json changed = network;
  for (Json& layer : changed["config"]["layers"])
    if (name_of(layer) == size.layer) layer["config"][size.setting] = size.value;
  return changed;
}

}  // namespace plimsoll
