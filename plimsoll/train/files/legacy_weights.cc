#include "plimsoll/train/files/legacy_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plimsoll/train/files/layer_places.h"

namespace plimsoll {
namespace {

// The weights of a layer of the model and of those inside it, in Keras's old order.
Variables legacy_order(const LayerBody& layer) {
  Variables weights = layer.trainable_variables();
  for (const Variable& weight : layer.non_trainable_variables()) weights.push_back(weight);
  return weights;
}

// "dense/kernel", unlike the name of any other weight of the layer.
std::map<const VariableState*, std::string> names_in(const LayerBody& layer) {
  std::map<const VariableState*, std::string> names;
  for (const LayerPlace& place : layer_places(layer))
    for (const Variable& weight : place.weights)
      names[weight.state().get()] = layer.name() + "/" + weight_path(place, weight);
  return names;
}

void write_weights(Hdf5Writer& writer, const std::string& group,
                   const std::vector<std::string>& names, const Variables& weights,
                   const WeightValues& values) {
  write_list(writer, group, "weight_names", names);
  for (size_t i = 0; i < weights.size(); ++i)
    values(weights[i], [&](std::span<const std::byte> bytes) {
      writer.write(group + "/" + names[i], weights[i].spec(), bytes);
    });
}

void write_layer(Hdf5Writer& writer, const std::string& group, const LayerBody& layer,
                 const WeightValues& values) {
  const auto names_by_weight = names_in(layer);
  const Variables weights = legacy_order(layer);
  std::vector<std::string> names;
  for (const Variable& weight : weights) names.push_back(names_by_weight.at(weight.state().get()));
  write_weights(writer, group, names, weights, values);
}

// The state of a random generator, which Keras 2 keeps among the weights.
bool is_random_state(const std::string& weight_name) {
  return weight_name.ends_with("StateVar:0") || weight_name.ends_with("StateVar");
}

struct SavedLayer {
  std::string name;
  std::vector<const Hdf5Dataset*> weights;
};

// The layers that have weights.
std::vector<SavedLayer> saved_layers(const WeightLoad& load, const Hdf5Group& group) {
  std::vector<SavedLayer> layers;
  for (const std::string& name : read_list(group.attributes, "layer_names")) {
    const Hdf5Group* layer = group.find_group(name);
    if (layer == nullptr) load.refuse(name, "the file lists the layer but does not hold it");
    SavedLayer saved{name, {}};
    for (const std::string& weight : read_list(layer->attributes, "weight_names")) {
      if (is_random_state(weight)) continue;
      saved.weights.push_back(layer->find_dataset(weight));
      if (saved.weights.back() == nullptr)
        load.refuse(name, "the file lists the weight '" + weight + "' but does not hold it");
    }
    if (!saved.weights.empty()) layers.push_back(std::move(saved));
  }
  return layers;
}

}  // namespace

const Hdf5Group* find_legacy_weights(const Hdf5Group& root) {
  const auto has_names = [](const Hdf5Group& group) {
    return group.attributes.contains("layer_names") || group.attributes.contains("layer_names0");
  };
  if (has_names(root)) return &root;
  const auto whole = root.groups.find("model_weights");
  return whole != root.groups.end() && has_names(whole->second) ? &whole->second : nullptr;
}

void write_legacy_weights(Hdf5Writer& writer, const std::string& group, const Network& network,
                          const WeightValues& values) {
  const std::string folder = group.empty() ? "" : group + "/";
  std::vector<std::string> names;
  for (const LayerBody::Child& child : network.children()) names.push_back(child.layer->name());
  write_list(writer, group, "layer_names", names);
  writer.set_attribute(group, "backend", "tensorflow");
  writer.set_attribute(group, "keras_version", "3.15.1");
  for (const LayerBody::Child& child : network.children())
    write_layer(writer, folder + child.layer->name(), *child.layer, values);
  write_weights(writer, folder + "top_level_model_weights", {}, {}, values);
}

void write_legacy_optimizer(Hdf5Writer& writer, const Optimizer& optimizer,
                            const WeightValues& values) {
  const Variables variables = optimizer->variables();
  std::vector<std::string> names;
  for (const Variable& variable : variables) {
    std::string name = variable.name();
    if (name.find('/') == name.npos) name.insert(0, optimizer->name() + "/");
    names.push_back(name);
  }
  write_weights(writer, "optimizer_weights", names, variables, values);
}

void add_legacy_weights(WeightLoad& load, const Hdf5Group& group, const Network& network) {
  std::vector<const LayerBody*> layers;
  for (const LayerBody::Child& child : network.children())
    if (!child.layer->weights().empty()) layers.push_back(child.layer.get());
  const auto saved = saved_layers(load, group);
  if (saved.size() != layers.size())
    load.refuse(network.name(), fmt::format("expected {} layers with weights, found {}",
                                            layers.size(), saved.size()));
  for (size_t i = 0; i < layers.size(); ++i) {
    const Variables weights = legacy_order(*layers[i]);
    const std::string where =
        layers[i]->name() +
        (layers[i]->name() == saved[i].name ? "" : " ('" + saved[i].name + "' in the file)");
    if (weights.size() != saved[i].weights.size())
      load.refuse(where, fmt::format("expected {} weights, found {}", weights.size(),
                                     saved[i].weights.size()));
    const auto names = names_in(*layers[i]);
    for (size_t k = 0; k < weights.size(); ++k)
      load.add(weights[k], *saved[i].weights[k], names.at(weights[k].state().get()));
  }
}

std::vector<const Hdf5Dataset*> legacy_optimizer_state(const Hdf5Group& root) {
  std::vector<const Hdf5Dataset*> tensors;
  const Hdf5Group* group = root.find_group("optimizer_weights");
  if (group == nullptr) return tensors;
  for (const std::string& name : read_list(group->attributes, "weight_names"))
    if (const Hdf5Dataset* found = group->find_dataset(name)) tensors.push_back(found);
  return tensors;
}

std::vector<std::string> read_list(const Hdf5Attributes& attributes, const std::string& name) {
  if (const auto found = attributes.find(name); found != attributes.end())
    return found->second.text;
  std::vector<std::string> list;
  for (size_t part = 0;; ++part) {
    const auto found = attributes.find(name + std::to_string(part));
    if (found == attributes.end()) return list;
    list.insert(list.end(), found->second.text.begin(), found->second.text.end());
  }
}

void write_list(Hdf5Writer& writer, const std::string& group, const std::string& name,
                const std::vector<std::string>& list) {
  // An attribute holds less than 64 KiB, and a reference to a text takes 16 bytes.
  constexpr size_t kMost = 4000;
  if (list.size() <= kMost) return writer.set_attribute(group, name, list);
  for (size_t begin = 0; begin < list.size(); begin += kMost)
    writer.set_attribute(group, name + std::to_string(begin / kMost),
                         std::vector<std::string>(list.begin() + static_cast<ptrdiff_t>(begin),
                                                  list.begin() + static_cast<ptrdiff_t>(std::min(
                                                                     begin + kMost, list.size()))));
}

}  // namespace plimsoll
