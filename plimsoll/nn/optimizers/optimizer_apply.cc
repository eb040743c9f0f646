// One step of an optimizer, recorded.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/update/adaptive_clip.h"

namespace plimsoll {
namespace {

// The factor on gradients: `scale`, or less if their norm would exceed the limit.
Tensor norm_scale(const Tensors& gradients, double limit, double scale) {
  return limit * scale / maximum(norm(gradients) * scale, limit);
}

// The learning rate times a decay, recorded once for all weights of the same decay.
class Decays {
 public:
  explicit Decays(Tensor rate) : rate_(std::move(rate)) {}

  // Undefined if there is no decay.
  Tensor of(std::optional<double> decay) {
    if (!decay) return {};
    Tensor& product = products_[*decay];
    if (!product.defined()) product = rate_ * *decay;
    return product;
  }

 private:
  Tensor rate_;
  std::map<double, Tensor> products_;
};

// A bool scalar: true if `count` is a multiple of `period`.
Tensor is_multiple(const Tensor& count, int64_t period) {
  return equal(whole_quotient(count, period) * period, count);
}

}  // namespace

OptimizerBody::Pace OptimizerBody::pace() const {
  const Tensor steps = iterations_.value();
  if (!settings_.gradient_accumulation_steps) return {steps, {}};
  const int64_t period = *settings_.gradient_accumulation_steps;
  return {whole_quotient(steps, period), cast(is_multiple(steps + 1, period), DType::float32)};
}

Tensor OptimizerBody::this_rate() const {
  return learning_rate_.defined() ? learning_rate_.value()
                                  : settings_.learning_rate.schedule()(iterations_.value());
}

Tensor OptimizerBody::scale_loss(const Tensor& loss) const {
  return settings_.loss_scale_factor ? loss * *settings_.loss_scale_factor : loss;
}

void OptimizerBody::apply_gradients(const Tensors& gradients, const Variables& weights) {
  if (gradients.size() != weights.size())
    throw InvalidArgument(fmt::format("{}: found {} gradients for {} weights", name(),
                                      gradients.size(), weights.size()));
  if (weights.empty()) return;
  const Scope scope(name());
  build(weights);
  Tensors defined;
  Variables moved;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!gradients[i].defined()) continue;
    defined.push_back(gradients[i]);
    moved.push_back(weights[i]);
  }
  if (defined.empty())
    throw InvalidArgument(name() + ": no weight has a gradient (the loss does not depend on any)");
  gate_commit(all_finite(defined));

  const Pace now = pace();
  const Tensors totals = accumulate(defined, moved, now);
  UpdateScalars scalars = common_scalars(totals, now);
  Decays decays(scalars.learning_rate);
  prepare(scalars, now);
  for (size_t i = 0; i < moved.size(); ++i)
    update_weight(moved[i], totals[i], scalars, decays.of(weight_decay_of(moved[i])));
  if (settings_.use_ema) follow_means(now);
  for (Variable& weight : moved)
    if (const auto& constraint = weight.state()->constraint)
      weight.assign(constraint(weight.value()));
  iterations_.assign(iterations_.value() + 1);
  training_clock().tick();
  evaluate_if_overgrown();
}

Tensors OptimizerBody::accumulate(const Tensors& gradients, const Variables& weights,
                                  const Pace& pace) {
  if (!pace.is_due.defined()) return gradients;
  const double scale = 1 / settings_.loss_scale_factor.value_or(1);
  Tensors totals;
  for (size_t i = 0; i < weights.size(); ++i) {
    Variable sum = kept(weights[i]).gradient_sum;
    const Accumulated accumulated =
        accumulate_gradient(sum.value(), gradients[i], scale, pace.is_due);
    sum.assign(accumulated.sum);
    totals.push_back(accumulated.total);
  }
  return totals;
}

// The norm of a step that is no update is overwritten by the next one's.
Tensor OptimizerBody::percentile_scale(const Tensors& gradients, const Pace& pace) {
  const double share = gradient_share();
  const Tensor count = norm_count_.value();
  const HistoryClip clip =
      clip_by_history(norms_.value(), count, norm(gradients) * share, *settings_.clip_percentile);
  norms_.assign(clip.history);
  norm_count_.assign(
      count + (pace.is_due.defined() ? cast(pace.is_due, DType::int64) : scalar(1, DType::int64)));
  return clip.factor * share;
}

UpdateScalars OptimizerBody::common_scalars(const Tensors& gradients, const Pace& pace) {
  UpdateScalars scalars{.learning_rate = this_rate(),
                        .is_on = pace.is_due,
                        .clip_value = settings_.clipvalue.value_or(0)};
  if (settings_.global_clipnorm)
    scalars.gradient_scale = norm_scale(gradients, *settings_.global_clipnorm, gradient_share());
  else if (settings_.clip_percentile)
    scalars.gradient_scale = percentile_scale(gradients, pace);
  else if (gradient_share() != 1 && !settings_.clipnorm)
    scalars.gradient_scale = scalar(gradient_share());
  return scalars;
}

// Turns sums of gradients into means and removes the scale of the loss.
double OptimizerBody::gradient_share() const {
  if (settings_.gradient_accumulation_steps)
    return 1 / static_cast<double>(*settings_.gradient_accumulation_steps);
  return 1 / settings_.loss_scale_factor.value_or(1);
}

void OptimizerBody::update_weight(const Variable& weight, const Tensor& gradient,
                                  UpdateScalars scalars, const Tensor& decay) {
  const Kept& state = kept(weight);
  if (state.decays) scalars.weight_decay = decay;
  if (settings_.clipnorm)
    scalars.gradient_scale = norm_scale({gradient}, *settings_.clipnorm, gradient_share());
  Tensors slots;
  for (const Variable& slot : state.slots) slots.push_back(slot.value());
  const Tensor limited =
      settings_.adaptive_clip
          ? clip_units(gradient, weight.value(), *settings_.adaptive_clip, gradient_share())
          : gradient;
  const Updated updated = update(weight.value(), limited, slots, scalars);
  Variable(weight).assign(updated.weight);
  for (size_t i = 0; i < slots.size(); ++i) Variable(state.slots[i]).assign(updated.slots[i]);
}

// The first mean is the weight itself.
void OptimizerBody::follow_means(const Pace& pace) {
  const Tensor momentum = settings_.ema_momentum * cast(not_equal(pace.updates, 0), DType::float32);
  const Tensor rest = 1 - momentum;
  const auto& frequency = settings_.ema_overwrite_frequency;
  const Tensor overwrites = frequency ? is_multiple(pace.updates + 1, *frequency) : Tensor();
  for (Variable& weight : weights_) {
    Variable mean = kept(weight).mean;
    mean.assign(momentum * mean.value() + rest * weight.value());
    if (frequency) weight.assign(select(overwrites, mean.value(), weight.value()));
  }
}

}  // namespace plimsoll
