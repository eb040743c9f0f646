// Losses of segmentation: how little predicted and true areas overlap. By default one number for
// the whole batch.
#pragma once

#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

struct DiceOptions {
  std::vector<int> axis = {};  // that areas lie on; none: all
  std::string reduction = "sum_over_batch_size";
  std::string name = "dice";
};
void describe(Fields& fields, DiceOptions& options);

// 1 - 2 * intersection / (true area + predicted area).
struct Dice : Loss {
  explicit Dice(const DiceOptions& options = {});
};

struct TverskyOptions {
  double alpha = 0.5;  // what true areas that were missed count for
  double beta = 0.5;   // what areas that were wrongly predicted count for
  std::vector<int> axis = {};
  std::string reduction = "sum_over_batch_size";
  std::string name = "tversky";
};
void describe(Fields& fields, TverskyOptions& options);

struct Tversky : Loss {
  explicit Tversky(const TverskyOptions& options = {});
};

Tensor dice(const Tensor& y_true, const Tensor& y_pred, const std::vector<int>& axis = {});
Tensor tversky(const Tensor& y_true, const Tensor& y_pred, double alpha, double beta,
               const std::vector<int>& axis = {});

}  // namespace plimsoll
