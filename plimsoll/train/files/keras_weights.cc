#include "plimsoll/train/files/keras_weights.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/layers/layer_state.h"
#include "plimsoll/train/files/layer_places.h"
#include "plimsoll/train/files/optimizer_state.h"

namespace plimsoll {
namespace {

// What Keras 2.13 called the layers of a model.
constexpr const char* kOldLayers = "_layer_checkpoint_dependencies";

std::string vars_of(const std::string& group) {
  return group.empty() ? "vars" : group + "/vars";
}

// The object that holds the weights: the layer, or one inside that is no layer here.
std::string holder_of(const LayerPlace& place) {
  const std::string inner = place.layer->weight_group();
  return inner.empty() ? place.group : place.group + "/" + inner;
}

void write_variables(Hdf5Writer& writer, const std::string& group, const std::string& name,
                     const Variables& variables, const WeightValues& values) {
  const std::string vars = vars_of(group);
  writer.set_attribute(vars, "name", name);
  for (size_t i = 0; i < variables.size(); ++i)
    values(variables[i], [&](std::span<const std::byte> bytes) {
      writer.write(fmt::format("{}/{}", vars, i), variables[i].spec(), bytes);
    });
}

void write_numbers(Hdf5Writer& writer, const LayerPlace& place) {
  const auto* keeps = dynamic_cast<const KeepsState*>(place.layer);
  if (keeps == nullptr) return;
  for (const auto& [name, numbers] : keeps->state().numbers)
    writer.write(vars_of(place.group) + "/" + name, {DType::float32, {std::ssize(numbers)}},
                 std::as_bytes(std::span(numbers)));
}

void write_layer(Hdf5Writer& writer, const LayerPlace& place, const WeightValues& values) {
  const std::string inner = place.layer->weight_group();
  if (inner.empty()) {
    write_variables(writer, place.group, place.layer->name(), place.weights, values);
    return write_numbers(writer, place);
  }
  write_variables(writer, place.group, place.layer->name(), {}, values);
  write_variables(writer, holder_of(place), snake_case(place.layer->class_name()) + "_" + inner,
                  place.weights, values);
}

// "layers/dense" as Keras 2.13 wrote it.
std::string old_name_of(std::string group) {
  const std::string now = "layers/", then = std::string(kOldLayers) + "/";
  for (size_t at = group.find(now); at != group.npos; at = group.find(now, at + then.size()))
    group.replace(at, now.size(), then);
  return group;
}

const Hdf5Group* find_vars(const Hdf5Group& root, const std::string& group) {
  const Hdf5Group* found = root.find_group(vars_of(group));
  if (found != nullptr || !root.groups.contains(kOldLayers)) return found;
  return root.find_group(vars_of(old_name_of(group)));
}

// The tensors "0", "1", … of a group; none if there is no group.
std::vector<const Hdf5Dataset*> datasets_of(const Hdf5Group* vars) {
  std::vector<const Hdf5Dataset*> datasets;
  if (vars == nullptr) return datasets;
  while (const Hdf5Dataset* next = vars->find_dataset(std::to_string(datasets.size())))
    datasets.push_back(next);
  return datasets;
}

void add_layer(WeightLoad& load, const Hdf5Group& root, const LayerPlace& place) {
  const auto datasets = datasets_of(find_vars(root, holder_of(place)));
  const std::string layer = place.path.empty() ? place.layer->name() : place.path;
  if (datasets.size() != place.weights.size())
    load.refuse(layer,
                fmt::format("expected {} weights in group {}, found {}", place.weights.size(),
                            vars_of(holder_of(place)), datasets.size()));
  for (size_t i = 0; i < datasets.size(); ++i)
    load.add(place.weights[i], *datasets[i], weight_path(place, place.weights[i]));
}

}  // namespace

bool has_keras_weights(const Hdf5Group& root) {
  return root.groups.contains("layers") || root.groups.contains("vars") ||
         root.groups.contains(kOldLayers);
}

void write_keras_weights(Hdf5Writer& writer, const Network& network, const Optimizer& optimizer,
                         const WeightValues& values) {
  for (const LayerPlace& place : layer_places(network)) write_layer(writer, place, values);
  if (optimizer.defined())
    write_variables(writer, "optimizer", optimizer->name(), optimizer->variables(), values);
}

std::vector<Finding> add_keras_weights(WeightLoad& load, const Hdf5File& file,
                                       const Network& network, const Optimizer& optimizer) {
  for (const LayerPlace& place : layer_places(network)) add_layer(load, file.root, place);
  if (!optimizer.defined()) return {};
  return add_optimizer_state(load, datasets_of(find_vars(file.root, "optimizer")), network,
                             optimizer, file.name);
}

}  // namespace plimsoll
