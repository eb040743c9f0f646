// Adamax: Adam with a decaying maximum of the gradient's size in place of the root of the mean
// square.
#pragma once

#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

struct AdamaxOptions {
  LearningRate learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
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
void describe(Fields& fields, AdamaxOptions& options);

struct Adamax : Optimizer {
  explicit Adamax(const AdamaxOptions& options = {});
};

}  // namespace plimsoll
