// Every kind of layer, once. Tests go through all of them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct LayerKind {
  std::string_view class_name;            // Keras's: "Conv2D"
  Layer (*from_config)(Fields&);          // reads name, trainable and config_fields
  Layer (*example)();                     // one with small sizes
  std::vector<Shape> inputs;              // that the example takes
  std::vector<std::string_view> weights;  // of the example, in order
  DType input_dtype = DType::float32;     // int32 where the example wants numbers from 0 to 3
};

std::span<const LayerKind> layer_list();

// Null where there is none.
const LayerKind* find_layer(std::string_view class_name);

}  // namespace plimsoll
