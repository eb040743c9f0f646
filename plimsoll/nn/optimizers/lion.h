// Lion: steps of one size, in the direction of the sign of a mean of gradients.
#pragma once

#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

struct LionOptions {
  LearningRate learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.99;
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
void describe(Fields& fields, LionOptions& options);

struct Lion : Optimizer {
  explicit Lion(const LionOptions& options = {});
};

}  // namespace plimsoll
