#include "plimsoll/ops/update/update_reference.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

using kernels::UpdateForm;
using kernels::UpdateRule;

struct Scalars {
  double rate = 0, scale = 1, decay = 0;
  double rule[2] = {};
  bool is_on = true;
};

Scalars read_scalars(const UpdateForm& form, std::span<const Array> in) {
  auto next = static_cast<size_t>(form.tensors());
  Scalars scalars{.rate = in[next++][0]};
  for (int i = 0; i < form.rule_scalars; ++i) scalars.rule[i] = in[next++][0];
  if (form.has_gradient_scale) scalars.scale = in[next++][0];
  if (form.has_weight_decay) scalars.decay = in[next++][0];
  if (form.has_switch) scalars.is_on = in[next][0] != 0;
  return scalars;
}

// One element: the gradient, and references to the weight and its slots.
class Element {
 public:
  Element(const UpdateForm& form, const Scalars& scalars, Arrays& out, int64_t i, double g)
      : form_(form), scalars_(scalars), out_(out), i_(i), g_(g) {}

  void step() {
    switch (form_.rule) {
      case UpdateRule::sgd:
        return sgd();
      case UpdateRule::rmsprop:
        return rmsprop();
      case UpdateRule::adam:
        return adam();
      case UpdateRule::adagrad:
        return adagrad();
      case UpdateRule::adadelta:
        return adadelta();
      case UpdateRule::nadam:
        return nadam();
      case UpdateRule::adamax:
        return adamax();
      case UpdateRule::lion:
        return lion();
      case UpdateRule::ftrl:
        return ftrl();
    }
  }

 private:
  double& weight() { return out_[0][i_]; }
  double& slot(size_t s) { return out_[1 + s][i_]; }
  double rate() const { return scalars_.rate; }
  // Draws the first two moments towards the gradient and its square.
  void follow_moments() {
    slot(0) += (g_ - slot(0)) * (1 - form_.beta_1);
    slot(1) += (g_ * g_ - slot(1)) * (1 - form_.beta_2);
  }

  void sgd() {
    if (form_.slots == 0) {
      weight() -= rate() * g_;
      return;
    }
    slot(0) = form_.momentum * slot(0) - rate() * g_;
    weight() += form_.nesterov ? form_.momentum * slot(0) - rate() * g_ : slot(0);
  }

  void rmsprop() {
    const bool has_momentum = form_.momentum > 0;
    slot(0) = form_.rho * slot(0) + (1 - form_.rho) * g_ * g_;
    double denominator = slot(0) + form_.epsilon;
    if (form_.centered) {
      double& mean = slot(has_momentum ? 2 : 1);
      mean = form_.rho * mean + (1 - form_.rho) * g_;
      denominator -= mean * mean;
    }
    double move = rate() * g_ / std::sqrt(denominator);
    if (has_momentum) move = slot(1) = form_.momentum * slot(1) + move;
    weight() -= move;
  }

  void adam() {
    follow_moments();
    if (form_.amsgrad) slot(2) = std::max(slot(2), slot(1));
    const double second = slot(form_.amsgrad ? 2 : 1);
    weight() -= rate() * slot(0) / (std::sqrt(second) + form_.epsilon);
  }

  void adagrad() {
    slot(0) += g_ * g_;
    weight() -= rate() * g_ / std::sqrt(slot(0) + form_.epsilon);
  }

  void adadelta() {
    slot(0) = form_.rho * slot(0) + (1 - form_.rho) * g_ * g_;
    const double move =
        std::sqrt(slot(1) + form_.epsilon) * g_ / std::sqrt(slot(0) + form_.epsilon);
    slot(1) = form_.rho * slot(1) + (1 - form_.rho) * move * move;
    weight() -= rate() * move;
  }

  void nadam() {
    follow_moments();
    weight() -= (rate() * slot(0) + scalars_.rule[0] * g_) /
                (std::sqrt(slot(1) * scalars_.rule[1]) + form_.epsilon);
  }

  void adamax() {
    slot(0) += (g_ - slot(0)) * (1 - form_.beta_1);
    slot(1) = std::max(form_.beta_2 * slot(1), std::abs(g_));
    weight() -= rate() * slot(0) / (slot(1) + form_.epsilon);
  }

  void lion() {
    const double mixed = form_.beta_1 * slot(0) + (1 - form_.beta_1) * g_;
    slot(0) = form_.beta_2 * slot(0) + (1 - form_.beta_2) * g_;
    weight() -= rate() * ((mixed > 0) - (mixed < 0));
  }

  void ftrl() {
    const double power = -form_.learning_rate_power, sum = slot(0) + g_ * g_;
    const double sigma = (std::pow(sum, power) - std::pow(slot(0), power)) / rate();
    slot(1) += g_ + 2 * form_.l2_shrinkage * weight() - sigma * weight();
    slot(0) = sum;
    const double quadratic =
        std::pow(sum, power) / rate() + 2 * (form_.l2 + form_.beta / (2 * rate()));
    weight() = (std::clamp(slot(1), -form_.l1, form_.l1) - slot(1)) / quadratic;
  }

  const UpdateForm& form_;
  const Scalars& scalars_;
  Arrays& out_;  // the weight, then the slots
  int64_t i_;
  double g_;
};

}  // namespace

Arrays reference_update(const UpdateForm& form, std::span<const Array> in) {
  Arrays out = {in[0]};
  for (int s = 0; s < form.slots; ++s) out.push_back(in[static_cast<size_t>(2 + s)]);
  const Scalars scalars = read_scalars(form, in);
  if (!scalars.is_on) return out;
  for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
    double g = in[1][i] * scalars.scale;
    if (form.clip_value > 0) g = std::clamp(g, -form.clip_value, form.clip_value);
    out[0][i] -= out[0][i] * scalars.decay;
    Element(form, scalars, out, i, g).step();
  }
  return out;
}

}  // namespace plimsoll
