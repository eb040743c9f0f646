#include "plimsoll/ops/normalization/unit_normalize.h"

#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {

Tensor unit_normalize(const Operand& x, const std::vector<int>& axes, double epsilon) {
  const Tensor squares = sum(square(x), axes, true);
  return multiply(x, rsqrt(maximum(squares, epsilon * epsilon)));
}

}  // namespace plimsoll
