// Every kind of layer, once. Tests go through all of them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "plimsoll/nn/layer.h"

namespace plimsoll {

struct LayerKind {
  std::string_view class_name;            // Keras's: "Conv2D"
  Layer (*example)();                     // one with small sizes
  std::vector<Shape> inputs;              // that the example takes
  std::vector<std::string_view> weights;  // of the example, in order
};

std::span<const LayerKind> layer_list();

}  // namespace plimsoll
