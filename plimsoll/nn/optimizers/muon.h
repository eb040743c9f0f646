// Muon: matrices move along momentum whose singular values are brought near 1; all other weights
// move as AdamW moves them.
#pragma once

#include <vector>

#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

struct MuonOptions {
  LearningRate learning_rate = 0.001;
  double adam_beta_1 = 0.9;
  double adam_beta_2 = 0.999;
  std::optional<double> adam_weight_decay = 0.004;  // of the weights that move as AdamW's do
  double epsilon = 1e-7;
  std::optional<double> weight_decay = 0.004;  // of the matrices
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
  // A matrix in whose path one of these regular expressions is found moves as AdamW moves it.
  std::vector<std::string> exclude_layers = {};
  bool exclude_embeddings = true;  // the same for those with "embedding" in their path
  // The polynomial of one round: x becomes a * x + (b * x x' + c * (x x')^2) x.
  double muon_a = 3.4445, muon_b = -4.7750, muon_c = 2.0315;
  double adam_lr_ratio = 1;  // of AdamW's learning rate to that of the matrices
  double momentum = 0.95;
  int64_t ns_steps = 5;  // rounds
  bool nesterov = true;
  std::optional<double> rms_rate =
      0.2;  // scales moves to the size of Adam's; none: moves are not scaled
};
void describe(Fields& fields, MuonOptions& options);

struct Muon : Optimizer {
  explicit Muon(const MuonOptions& options = {});
};

}  // namespace plimsoll
