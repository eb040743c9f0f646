#include "plimsoll/train/freeze.h"

#include <fnmatch.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {
namespace {

struct Named {
  std::string path;
  std::shared_ptr<LayerBody> layer;
};

void collect(const LayerBody& parent, const std::string& path, std::vector<Named>& into) {
  for (const LayerBody::Child& child : parent.children()) {
    const std::string own = (path.empty() ? "" : path + "/") + child.layer->name();
    into.push_back({own, child.layer});
    collect(*child.layer, own, into);
  }
}

bool fits(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

std::vector<std::string> freeze_layers(Model& model, const std::string& pattern) {
  std::vector<Named> layers;
  collect(model.network(), "", layers);
  std::vector<std::string> frozen, known;
  for (const auto& [path, layer] : layers) {
    known.push_back(path);
    if (!fits(pattern, layer->name()) && !fits(pattern, path)) continue;
    layer->set_trainable(false);
    frozen.push_back(path);
  }
  if (!frozen.empty()) return frozen;
  const std::string hint = did_you_mean(pattern, known);
  constexpr size_t kShown = 40;
  const bool is_cut = known.size() > kShown;
  known.resize(std::min(known.size(), kShown));
  throw InvalidArgument(model.name() + ": no layer is called '" + pattern + "'" + hint +
                        "; the layers are " + listed(known) + (is_cut ? ", …" : ""));
}

}  // namespace plimsoll
