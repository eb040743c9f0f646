#include "plimsoll/nn/regularizer.h"

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {
namespace {

constexpr double kDefaultFactor = 0.01;

double checked(const char* name, double factor) {
  if (!std::isfinite(factor) || factor < 0)
    throw InvalidArgument("regularizer: " + std::string(name) +
                          " must be a finite number, not negative; found " +
                          std::to_string(factor));
  return factor;
}

}  // namespace

Regularizer::Regularizer(std::string_view name) {
  if (name.empty()) return;
  const bool first = name == "l1" || name == "L1", second = name == "l2" || name == "L2";
  const bool both = name == "l1_l2" || name == "L1L2";
  if (!first && !second && !both)
    throw InvalidArgument("regularizer: '" + std::string(name) +
                          "' is not known (known: l1, l2, l1_l2)");
  if (first || both) l1_ = kDefaultFactor;
  if (second || both) l2_ = kDefaultFactor;
}

Regularizer::Regularizer(double l1, double l2) : l1_(checked("l1", l1)), l2_(checked("l2", l2)) {}

Tensor Regularizer::operator()(const Tensor& weight) const {
  Tensor penalty;
  if (l1_ > 0) penalty = sum(abs(weight)) * l1_;
  if (l2_ > 0) {
    const Tensor squares = sum(square(weight)) * l2_;
    penalty = penalty.defined() ? penalty + squares : squares;
  }
  return penalty.defined() ? penalty : scalar(0);
}

Regularizer L1(double l1) {
  return {l1, 0};
}
Regularizer L2(double l2) {
  return {0, l2};
}
Regularizer L1L2(const L1L2Options& options) {
  return {options.l1, options.l2};
}

}  // namespace plimsoll
