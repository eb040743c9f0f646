#include "plimsoll/train/files/layer_places.h"

#include <unordered_set>

namespace plimsoll {
namespace {

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

class Walk {
 public:
  void visit(const LayerBody& layer, const std::string& group, const std::string& path) {
    if (!seen_.insert(&layer).second) return;
    places.push_back({&layer, group, path, layer.own_weights()});
    for (const LayerBody::Child& child : layer.children())
      visit(*child.layer, joined(group, child.attribute), joined(path, child.layer->name()));
  }

  std::vector<LayerPlace> places;

 private:
  std::unordered_set<const LayerBody*> seen_;
};

}  // namespace

std::vector<LayerPlace> layer_places(const LayerBody& network) {
  Walk walk;
  walk.visit(network, "", "");
  return std::move(walk.places);
}

std::string weight_path(const LayerPlace& place, const Variable& weight) {
  const size_t slash = weight.name().rfind('/');
  const std::string name =
      slash == std::string::npos ? weight.name() : weight.name().substr(slash + 1);
  return joined(place.path, name);
}

}  // namespace plimsoll
