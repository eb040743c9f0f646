// Layers that a program in another language has, where a config names them: classes of its own, and
// layers that are there already and are put into another one.
#pragma once

#include <functional>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

// An empty layer where the JSON is not one of the program's. It refuses classes that are neither
// the program's nor Keras's.
using ForeignLayers = std::function<Layer(const Json& json)>;

// An empty function is the default: there are none. Returns the previous one.
ForeignLayers set_foreign_layers(ForeignLayers layers);

Layer foreign_layer(const Json& json);
bool knows_foreign_layers();

}  // namespace plimsoll
