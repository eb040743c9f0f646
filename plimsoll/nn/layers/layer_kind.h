// A row of the layer list.
#pragma once

#include <string_view>
#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

inline constexpr std::string_view kKerasLayers = "keras.layers";

struct LayerKind {
  std::string_view class_name;             // Keras's: "Conv2D"
  Layer (*from_config)(Fields&);           // reads name, trainable and config_fields
  Layer (*example)();                      // one with small sizes
  std::vector<Shape> inputs;               // that the example takes
  std::vector<std::string_view> weights;   // of the example, in order
  DType input_dtype = DType::float32;      // int32 where the example wants numbers from 0 to 3
  std::string_view saved_as = {};          // the name in files if it is another one
  std::string_view module = kKerasLayers;  // where Keras keeps the class
  bool config_has_dtype = true;            // false where Keras refuses the key
  bool trains = true;                      // false for layers that are read for predicting only
};

}  // namespace plimsoll
