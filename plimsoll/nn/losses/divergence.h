// Losses between distributions, counts and directions.
#pragma once

#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

// sum(y_true * log(y_true / y_pred)), both kept in [1e-7, 1].
struct KLDivergence : Loss {
  explicit KLDivergence(const LossOptions& options = {});
};

// mean(y_pred - y_true * log(y_pred)): y_true are counts.
struct Poisson : Loss {
  explicit Poisson(const LossOptions& options = {});
};

struct CosineSimilarityOptions {
  int axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = "cosine_similarity";
};
void describe(Fields& fields, CosineSimilarityOptions& options);

// The cosine of the angle, times -1: the same direction is -1.
struct CosineSimilarity : Loss {
  explicit CosineSimilarity(const CosineSimilarityOptions& options = {});
};

// One value per sample.
Tensor kl_divergence(const Tensor& y_true, const Tensor& y_pred);
Tensor poisson(const Tensor& y_true, const Tensor& y_pred);
Tensor cosine_similarity(const Tensor& y_true, const Tensor& y_pred, int axis = -1);

}  // namespace plimsoll
