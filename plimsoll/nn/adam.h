// Adam, and AdamW, which is Adam whose weight decay is on.
#pragma once

#include "plimsoll/nn/optimizer.h"

namespace plimsoll {

struct AdamOptions {
  double learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  bool amsgrad = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  std::string name = {};
};

struct Adam : Optimizer {
  explicit Adam(const AdamOptions& options = {});
};

struct AdamWOptions {
  double learning_rate = 0.001;
  double weight_decay = 0.004;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  bool amsgrad = false;
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  std::string name = {};
};

struct AdamW : Optimizer {
  explicit AdamW(const AdamWOptions& options = {});
};

}  // namespace plimsoll
