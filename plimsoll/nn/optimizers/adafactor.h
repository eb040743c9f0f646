// Adafactor: Adam's second moment kept as the means of rows and columns of a matrix.
#pragma once

#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

struct AdafactorOptions {
  LearningRate learning_rate = 0.001;  // at most; it falls with the root of the step's number
  double beta_2_decay = -0.8;
  double epsilon_1 = 1e-30;   // added to squared gradients
  double epsilon_2 = 1e-3;    // the least size of a weight that steps are measured by
  double clip_threshold = 1;  // of the size of an update
  bool relative_step = true;  // has no effect: rates fall either way, as in Keras
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
void describe(Fields& fields, AdafactorOptions& options);

struct Adafactor : Optimizer {
  explicit Adafactor(const AdafactorOptions& options = {});
};

}  // namespace plimsoll
