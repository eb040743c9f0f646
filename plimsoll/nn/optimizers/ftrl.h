// Ftrl: follow the regularised leader, for sparse models.
#pragma once

#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

struct FtrlOptions {
  LearningRate learning_rate = 0.001;
  double learning_rate_power = -0.5;  // 0 or below; 0 keeps the rate fixed
  double initial_accumulator_value = 0.1;
  double l1_regularization_strength = 0;
  double l2_regularization_strength = 0;
  double l2_shrinkage_regularization_strength = 0;
  double beta = 0;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  std::optional<double> adaptive_clip = {};
  std::optional<double> clip_percentile = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
void describe(Fields& fields, FtrlOptions& options);

struct Ftrl : Optimizer {
  explicit Ftrl(const FtrlOptions& options = {});
};

}  // namespace plimsoll
