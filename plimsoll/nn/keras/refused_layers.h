// The classes of keras.layers that are not read, each with the reason. docs/keras.md has the same
// table.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll {

struct RefusedLayer {
  std::string_view class_name;
  std::string_view reason;  // goes on after "a Lambda …"
};

std::span<const RefusedLayer> refused_layers();

}  // namespace plimsoll
