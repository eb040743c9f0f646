#include "plimsoll/train/files/layer_state.h"

#include <functional>
#include <optional>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/layers/layer_state.h"
#include "plimsoll/train/files/layer_places.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostFileBytes = int64_t{256} << 20, kMostNumbers = int64_t{1} << 26;

// The layers inside a network that keep something.
void visit_layers(const LayerBody& layer, const std::string& group,
                  const std::function<void(KeepsState&, const std::string& group)>& visit) {
  for (const LayerBody::Child& child : layer.children()) {
    const std::string inner = (group.empty() ? "" : group + "/") + child.attribute;
    if (auto* keeps = dynamic_cast<KeepsState*>(child.layer.get())) visit(*keeps, inner);
    visit_layers(*child.layer, inner, visit);
  }
}

std::string asset_name(const std::string& group, const std::string& file) {
  return "assets/" + group + "/" + file;
}

void read_numbers(const Hdf5Group& root, const std::string& group, KeepsState::State& state) {
  const Hdf5Group* vars = root.find_group(group + "/vars");
  for (auto it = state.numbers.begin(); it != state.numbers.end();) {
    const Hdf5Dataset* found = vars == nullptr ? nullptr : vars->find_dataset(it->first);
    if (found == nullptr || found->shape().elements() > kMostNumbers) {
      it = state.numbers.erase(it);
      continue;
    }
    it->second.resize(static_cast<size_t>(found->shape().elements()));
    found->read(DType::float32, std::as_writable_bytes(std::span(it->second)));
    ++it;
  }
}

}  // namespace

void read_layer_state(const Network& network, const KerasArchive& archive) {
  std::optional<Hdf5File> weights;
  visit_layers(network, "", [&](KeepsState& layer, const std::string& group) {
    KeepsState::State state = layer.wanted_state();
    if (state.files.empty() && state.numbers.empty()) return;
    for (auto& [name, text] : state.files)
      text = archive.asset(asset_name(group, name), kMostFileBytes);
    if (!state.numbers.empty()) {
      if (!weights) weights = archive.weights();
      read_numbers(weights->root, group, state);
    }
    layer.set_state(state);
  });
}

void read_layer_numbers(const Network& network, const Hdf5Group& root) {
  visit_layers(network, "", [&](KeepsState& layer, const std::string& group) {
    KeepsState::State state = layer.wanted_state();
    state.files.clear();
    read_numbers(root, group, state);
    if (!state.numbers.empty()) layer.set_state(state);
  });
}

void write_layer_files(KerasArchiveWriter& writer, const Network& network) {
  visit_layers(network, "", [&](KeepsState& layer, const std::string& group) {
    for (auto& [name, text] : layer.state().files) writer.add_asset(asset_name(group, name), text);
  });
}

void refuse_layer_files(const Network& network, const std::string& path) {
  visit_layers(network, "", [&](KeepsState& layer, const std::string&) {
    for (const auto& [name, text] : layer.state().files)
      throw InvalidArgument(path + ": '" + dynamic_cast<LayerBody&>(layer).name() + "' keeps its " +
                            name +
                            " in a file of the archive, which only .keras has; save it as .keras");
  });
}

}  // namespace plimsoll
