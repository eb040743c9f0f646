#include "plimsoll/nn/layers/make_layer.h"

#include "plimsoll/base/error.h"

namespace plimsoll {

Padding padding_of(const std::string& name) {
  if (name == "valid") return Padding::valid;
  if (name == "same") return Padding::same;
  throw InvalidArgument("padding: '" + name + "' is not known (known: valid, same)");
}

}  // namespace plimsoll
