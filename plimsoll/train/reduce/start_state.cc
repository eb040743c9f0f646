#include "plimsoll/train/reduce/start_state.h"

#include <cstring>
#include <functional>
#include <span>
#include <utility>

#include "plimsoll/train/files/layer_places.h"

namespace plimsoll {
namespace {

void visit_states(const LayerBody& layer, const std::string& path,
                  const std::function<void(KeepsState&, const std::string& path)>& visit) {
  for (const LayerBody::Child& child : layer.children()) {
    const std::string inner = path + "/" + child.layer->name();
    if (auto* keeps = dynamic_cast<KeepsState*>(child.layer.get())) visit(*keeps, inner);
    visit_states(*child.layer, inner, visit);
  }
}

bool fits_into(const Spec& smaller, const Spec& larger) {
  if (smaller.dtype != larger.dtype || smaller.shape.rank() != larger.shape.rank()) return false;
  for (int i = 0; i < smaller.shape.rank(); ++i)
    if (smaller.shape[i] > larger.shape[i]) return false;
  return true;
}

// The elements of `from` whose places are within `to`, row by row of the last axis.
void copy_corner(const Spec& from, const std::byte* source, const Spec& to,
                 std::span<std::byte> into) {
  const int rank = to.shape.rank();
  if (rank == 0) {
    std::memcpy(into.data(), source, into.size());
    return;
  }
  const int64_t rows = to.shape.elements() / std::max<int64_t>(1, to.shape[rank - 1]);
  const int64_t element = from.bytes() / std::max<int64_t>(1, from.shape.elements());
  const int64_t bytes = to.shape[rank - 1] * element;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row, offset = 0, stride = from.shape[rank - 1];
    for (int axis = rank - 2; axis >= 0; --axis) {
      offset += rest % to.shape[axis] * stride;
      rest /= to.shape[axis];
      stride *= from.shape[axis];
    }
    std::memcpy(into.data() + row * bytes, source + offset * element, static_cast<size_t>(bytes));
  }
}

}  // namespace

StartState::StartState(const Network& network) {
  for (const LayerPlace& place : layer_places(network))
    for (const Variable& weight : place.weights) {
      const auto storage = std::make_shared<Storage>(weight.spec().bytes());
      std::memcpy(storage->data(), weight.data(), static_cast<size_t>(weight.spec().bytes()));
      weights_[weight_path(place, weight)] = {weight.spec(), storage};
    }
  visit_states(network, "",
               [&](KeepsState& layer, const std::string& path) { states_[path] = layer.state(); });
}

void StartState::apply(Network& network) const {
  visit_states(network, "", [&](KeepsState& layer, const std::string& path) {
    if (const auto found = states_.find(path); found != states_.end())
      layer.set_state(found->second);
  });
  for (const LayerPlace& place : layer_places(network))
    for (Variable weight : place.weights) {
      const auto found = weights_.find(weight_path(place, weight));
      if (found == weights_.end() || !fits_into(weight.spec(), found->second.spec)) continue;
      weight.fill([&](std::span<std::byte> into) {
        copy_corner(found->second.spec, found->second.storage->data(), weight.spec(), into);
      });
    }
}

}  // namespace plimsoll
