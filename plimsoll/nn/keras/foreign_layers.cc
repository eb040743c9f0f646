#include "plimsoll/nn/keras/foreign_layers.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace plimsoll {
namespace {

ForeignLayers& foreign_layers() {
  static ForeignLayers layers;
  return layers;
}

}  // namespace

ForeignLayers set_foreign_layers(ForeignLayers layers) {
  return std::exchange(foreign_layers(), std::move(layers));
}

bool knows_foreign_layers() {
  return static_cast<bool>(foreign_layers());
}

Layer foreign_layer(const Json& json) {
  return foreign_layers() ? foreign_layers()(json) : Layer();
}

}  // namespace plimsoll
