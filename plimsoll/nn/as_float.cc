#include "plimsoll/nn/as_float.h"

#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {

Tensor as_float(const Tensor& x) {
  return x.dtype() == DType::float32 ? x : cast(x, DType::float32);
}

}  // namespace plimsoll
