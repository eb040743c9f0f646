#include "plimsoll/nn/unit_length.h"

#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {

Tensor unit_length(const Tensor& x, int axis) {
  constexpr double kMostInverse = 1e7;
  return x * minimum(rsqrt(sum(square(x), {axis}, true)), kMostInverse);
}

}  // namespace plimsoll
