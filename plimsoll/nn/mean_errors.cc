#include "plimsoll/nn/mean_errors.h"

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/loss_arguments.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {
namespace {

Tensor difference(const char* who, const Tensor& y_true, const Tensor& y_pred) {
  require_same_shape(who, y_true, y_pred, "");
  return y_pred - as_float(y_true);
}

}  // namespace

Tensor mean_squared_error(const Tensor& y_true, const Tensor& y_pred) {
  return mean(square(difference("mean_squared_error", y_true, y_pred)), {-1});
}

Tensor mean_absolute_error(const Tensor& y_true, const Tensor& y_pred) {
  return mean(abs(difference("mean_absolute_error", y_true, y_pred)), {-1});
}

MeanSquaredError::MeanSquaredError(const MeanSquaredErrorOptions& options)
    : Loss(options.name, mean_squared_error, plimsoll::reduction(options.reduction)) {}

MeanAbsoluteError::MeanAbsoluteError(const MeanAbsoluteErrorOptions& options)
    : Loss(options.name, mean_absolute_error, plimsoll::reduction(options.reduction)) {}

}  // namespace plimsoll
