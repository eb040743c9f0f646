#include "plimsoll/nn/losses/unit_length.h"

#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {

Tensor unit_length(const Tensor& x, int axis) {
  constexpr double kMostInverse = 1e7;
  return x * minimum(rsqrt(sum(square(x), {axis}, true)), kMostInverse);
}

}  // namespace plimsoll
