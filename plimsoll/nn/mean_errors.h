// Losses of regression: the mean over the last axis of a distance.
#pragma once

#include "plimsoll/nn/loss.h"

namespace plimsoll {

struct MeanSquaredErrorOptions {
  std::string reduction = "sum_over_batch_size";
  std::string name = "mean_squared_error";
};

struct MeanSquaredError : Loss {
  explicit MeanSquaredError(const MeanSquaredErrorOptions& options = {});
};

struct MeanAbsoluteErrorOptions {
  std::string reduction = "sum_over_batch_size";
  std::string name = "mean_absolute_error";
};

struct MeanAbsoluteError : Loss {
  explicit MeanAbsoluteError(const MeanAbsoluteErrorOptions& options = {});
};

// One value a sample. Targets are cast; shapes must agree but for a last axis of one.
Tensor mean_squared_error(const Tensor& y_true, const Tensor& y_pred);
Tensor mean_absolute_error(const Tensor& y_true, const Tensor& y_pred);

}  // namespace plimsoll
