// Every kind of layer, once. Tests go through all of them.
#pragma once

#include <span>
#include <string_view>

#include "plimsoll/nn/layers/layer_kind.h"

namespace plimsoll {

std::span<const LayerKind> layer_list();

// Null if there is no such layer.
const LayerKind* find_layer(std::string_view class_name);

}  // namespace plimsoll
