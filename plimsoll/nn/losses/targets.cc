#include "plimsoll/nn/losses/targets.h"

namespace plimsoll {

Targets targets_by_shapes(const Tensor& y_true, const Tensor& y_pred) {
  const int64_t classes = y_pred.rank() == 0 ? 1 : y_pred.shape().back();
  const bool column = y_true.rank() > 0 && y_true.shape().back() == 1;
  if (classes == 1) return Targets::binary;
  return y_true.rank() < y_pred.rank() || column ? Targets::class_numbers : Targets::one_hot;
}

}  // namespace plimsoll
