// Losses of margins: predictions on the right side of a border add nothing once they are far enough
// from it.
#pragma once

#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

// Targets are -1 or 1, or else all 0 or 1.
struct Hinge : Loss {
  explicit Hinge(const LossOptions& options = {});
};
struct SquaredHinge : Loss {
  explicit SquaredHinge(const LossOptions& options = {});
};
// Targets are one-hot rows.
struct CategoricalHinge : Loss {
  explicit CategoricalHinge(const LossOptions& options = {});
};

// One value per sample.
Tensor hinge(const Tensor& y_true, const Tensor& y_pred);
Tensor squared_hinge(const Tensor& y_true, const Tensor& y_pred);
Tensor categorical_hinge(const Tensor& y_true, const Tensor& y_pred);

}  // namespace plimsoll
