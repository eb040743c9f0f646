// Where the weights of a network are in files: each layer once, by Keras's attributes and by the
// names of the layers around it.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

struct LayerPlace {
  const LayerBody* layer;
  std::string group;  // "layers/dense"; empty for the network itself
  std::string path;   // "encoder/dense"; empty for the network itself
  Variables weights;  // its own, without those of layers inside
};

// A layer before those inside it.
std::vector<LayerPlace> layer_places(const LayerBody& network);

// "encoder/dense/kernel": the layer's path and the last part of the weight's name.
std::string weight_path(const LayerPlace& place, const Variable& weight);

}  // namespace plimsoll
