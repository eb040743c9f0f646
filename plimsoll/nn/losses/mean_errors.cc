#include "plimsoll/nn/losses/mean_errors.h"

#include <numbers>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/losses/loss_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

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

Tensor mean_absolute_percentage_error(const Tensor& y_true, const Tensor& y_pred) {
  const Tensor error = difference("mean_absolute_percentage_error", y_true, y_pred);
  return 100 * mean(abs(error / maximum(abs(as_float(y_true)), kLossEpsilon)), {-1});
}

Tensor mean_squared_logarithmic_error(const Tensor& y_true, const Tensor& y_pred) {
  require_same_shape("mean_squared_logarithmic_error", y_true, y_pred, "");
  const auto logarithm = [](const Tensor& y) { return log(maximum(y, kLossEpsilon) + 1); };
  return mean(square(logarithm(y_pred) - logarithm(as_float(y_true))), {-1});
}

Tensor huber(const Tensor& y_true, const Tensor& y_pred, double delta) {
  const Tensor error = difference("huber", y_true, y_pred), size = abs(error);
  return mean(
      select(less_equal(size, delta), 0.5 * square(error), delta * size - 0.5 * delta * delta),
      {-1});
}

Tensor log_cosh(const Tensor& y_true, const Tensor& y_pred) {
  const Tensor error = difference("log_cosh", y_true, y_pred);
  return mean(error + softplus(error * -2) - std::numbers::ln2, {-1});
}

// Keras does not write it. Here it is written if it is not the default, so that it is not lost.
void describe(Fields& fields, HuberOptions& options) {
  describe_loss(fields, options);
  if (fields.reading() || options.delta != 1) fields.with("delta", options.delta);
}

MeanSquaredError::MeanSquaredError(const LossOptions& options)
    : Loss(LossOf("MeanSquaredError", "mean_squared_error", options, mean_squared_error)) {}

MeanAbsoluteError::MeanAbsoluteError(const LossOptions& options)
    : Loss(LossOf("MeanAbsoluteError", "mean_absolute_error", options, mean_absolute_error)) {}

MeanAbsolutePercentageError::MeanAbsolutePercentageError(const LossOptions& options)
    : Loss(LossOf("MeanAbsolutePercentageError", "mean_absolute_percentage_error", options,
                  mean_absolute_percentage_error)) {}

MeanSquaredLogarithmicError::MeanSquaredLogarithmicError(const LossOptions& options)
    : Loss(LossOf("MeanSquaredLogarithmicError", "mean_squared_logarithmic_error", options,
                  mean_squared_logarithmic_error)) {}

Huber::Huber(const HuberOptions& options)
    : Loss(LossOf("Huber", "huber_loss", options,
                  [delta = options.delta](const Tensor& y_true, const Tensor& y_pred) {
                    return huber(y_true, y_pred, delta);
                  })) {}

LogCosh::LogCosh(const LossOptions& options)
    : Loss(LossOf("LogCosh", "log_cosh", options, log_cosh)) {}

}  // namespace plimsoll
