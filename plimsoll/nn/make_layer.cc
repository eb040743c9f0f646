#include "plimsoll/nn/make_layer.h"

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise.h"

namespace plimsoll {

Tensor as_float(const Tensor& x) {
  return x.dtype() == DType::float32 ? x : cast(x, DType::float32);
}

Padding padding_of(const std::string& name) {
  if (name == "valid") return Padding::valid;
  if (name == "same") return Padding::same;
  throw InvalidArgument("padding: '" + name + "' is not known (known: valid, same)");
}

}  // namespace plimsoll
