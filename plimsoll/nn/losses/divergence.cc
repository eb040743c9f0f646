#include "plimsoll/nn/losses/divergence.h"

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/losses/loss_of.h"
#include "plimsoll/nn/losses/unit_length.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {

Tensor kl_divergence(const Tensor& y_true, const Tensor& y_pred) {
  require_same_shape("kl_divergence", y_true, y_pred, "");
  const Tensor target = clip(as_float(y_true), kLossEpsilon, 1);
  return sum(target * log(target / clip(y_pred, kLossEpsilon, 1)), {-1});
}

Tensor poisson(const Tensor& y_true, const Tensor& y_pred) {
  require_same_shape("poisson", y_true, y_pred, "");
  return mean(y_pred - as_float(y_true) * log(y_pred + kLossEpsilon), {-1});
}

Tensor cosine_similarity(const Tensor& y_true, const Tensor& y_pred, int axis) {
  require_same_shape("cosine_similarity", y_true, y_pred, "");
  return -sum(unit_length(as_float(y_true), axis) * unit_length(y_pred, axis), {axis});
}

// Keras does not write the axis. Here it is written if it is not the default, so that it is not
// lost.
void describe(Fields& fields, CosineSimilarityOptions& options) {
  describe_loss(fields, options);
  if (fields.reading() || options.axis != -1) fields.with("axis", options.axis);
}

KLDivergence::KLDivergence(const LossOptions& options)
    : Loss(LossOf("KLDivergence", "kl_divergence", options, kl_divergence)) {
  set_targets({.kind = LossTargets::Kind::class_vectors});
}

Poisson::Poisson(const LossOptions& options)
    : Loss(LossOf("Poisson", "poisson", options, poisson)) {}

CosineSimilarity::CosineSimilarity(const CosineSimilarityOptions& options)
    : Loss(LossOf("CosineSimilarity", "cosine_similarity", options,
                  [axis = options.axis](const Tensor& y_true, const Tensor& y_pred) {
                    return cosine_similarity(y_true, y_pred, axis);
                  })) {}

}  // namespace plimsoll
