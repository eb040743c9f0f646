// Adam, and AdamW, which is Adam whose weight decay is on.
#pragma once

#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

struct AdamOptions {
  LearningRate learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  bool amsgrad = false;
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
void describe(Fields& fields, AdamOptions& options);

struct Adam : Optimizer {
  explicit Adam(const AdamOptions& options = {});
};

struct AdamWOptions {
  LearningRate learning_rate = 0.001;
  double weight_decay = 0.004;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  bool amsgrad = false;
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
void describe(Fields& fields, AdamWOptions& options);

struct AdamW : Optimizer {
  explicit AdamW(const AdamWOptions& options = {});
};

}  // namespace plimsoll
