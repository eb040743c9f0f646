// Losses of regression: the mean over the last axis of a distance.
#pragma once

#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

struct MeanSquaredError : Loss {
  explicit MeanSquaredError(const LossOptions& options = {});
};

struct MeanAbsoluteError : Loss {
  explicit MeanAbsoluteError(const LossOptions& options = {});
};

// In percent of the target, whose size counts as at least 1e-7.
struct MeanAbsolutePercentageError : Loss {
  explicit MeanAbsolutePercentageError(const LossOptions& options = {});
};

// The squared error of log(1 + y); values below 1e-7 count as 1e-7.
struct MeanSquaredLogarithmicError : Loss {
  explicit MeanSquaredLogarithmicError(const LossOptions& options = {});
};

struct HuberOptions {
  double delta = 1;  // the error above which the loss grows linearly
  std::string reduction = "sum_over_batch_size";
  std::string name = "huber_loss";
};
void describe(Fields& fields, HuberOptions& options);

struct Huber : Loss {
  explicit Huber(const HuberOptions& options = {});
};

// log(cosh(error)): like Huber, but smooth.
struct LogCosh : Loss {
  explicit LogCosh(const LossOptions& options = {});
};

// One value per sample. Targets are cast; shapes must agree but for a last axis of one.
Tensor mean_squared_error(const Tensor& y_true, const Tensor& y_pred);
Tensor mean_absolute_error(const Tensor& y_true, const Tensor& y_pred);
Tensor mean_absolute_percentage_error(const Tensor& y_true, const Tensor& y_pred);
Tensor mean_squared_logarithmic_error(const Tensor& y_true, const Tensor& y_pred);
Tensor huber(const Tensor& y_true, const Tensor& y_pred, double delta = 1);
Tensor log_cosh(const Tensor& y_true, const Tensor& y_pred);

}  // namespace plimsoll
