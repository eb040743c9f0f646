// The rules of the optimizers, each on a vector of elements: step(weight, gradient, slots) returns
// the new weight and leaves the new slots in `slots`.
#if defined(PLIMSOLL_KERNELS_UPDATE_RULES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_UPDATE_RULES_INL_H_
#undef PLIMSOLL_KERNELS_UPDATE_RULES_INL_H_
#else
#define PLIMSOLL_KERNELS_UPDATE_RULES_INL_H_
#endif

#include "plimsoll/kernels/elementwise/vector_math-inl.h"
#include "plimsoll/kernels/row_vectors-inl.h"
#include "plimsoll/kernels/update/update_pass.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

HWY_INLINE RowVector all(double value) {
  return hn::Set(RowTag(), static_cast<float>(value));
}

// A share `rest` of the way from `mean` to `value`.
HWY_INLINE RowVector drawn_to(RowVector mean, RowVector value, RowVector rest) {
  return hn::MulAdd(hn::Sub(value, mean), rest, mean);
}

struct Sgd {
  RowVector rate, momentum;
  bool has_velocity, nesterov;

  explicit Sgd(const UpdatePass& pass)
      : rate(all(pass.learning_rate)),
        momentum(all(pass.form->momentum)),
        has_velocity(pass.form->slots > 0),
        nesterov(pass.form->nesterov) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    const RowVector move = hn::Mul(g, rate);
    if (!has_velocity) return hn::Sub(w, move);
    RowVector& velocity = slots[0];
    velocity = hn::MulSub(velocity, momentum, move);
    return hn::Add(w, nesterov ? hn::MulSub(velocity, momentum, move) : velocity);
  }
};

struct RmsProp {
  RowVector rate, rho, rest, momentum, epsilon;
  bool has_momentum, centered;

  explicit RmsProp(const UpdatePass& pass)
      : rate(all(pass.learning_rate)),
        rho(all(pass.form->rho)),
        rest(all(1 - pass.form->rho)),
        momentum(all(pass.form->momentum)),
        epsilon(all(pass.form->epsilon)),
        has_momentum(pass.form->momentum > 0),
        centered(pass.form->centered) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    RowVector& mean_square = slots[0];
    mean_square = hn::MulAdd(rho, mean_square, hn::Mul(rest, hn::Mul(g, g)));
    RowVector denominator = hn::Add(mean_square, epsilon);
    if (centered) {
      RowVector& mean = slots[has_momentum ? 2 : 1];
      mean = hn::MulAdd(rho, mean, hn::Mul(rest, g));
      denominator = hn::Add(hn::NegMulAdd(mean, mean, mean_square), epsilon);
    }
    const RowVector move = hn::Div(hn::Mul(rate, g), hn::Sqrt(denominator));
    if (!has_momentum) return hn::Sub(w, move);
    slots[1] = hn::MulAdd(momentum, slots[1], move);
    return hn::Sub(w, slots[1]);
  }
};

struct Adam {
  RowVector rate, rest_1, rest_2, epsilon;
  bool amsgrad;

  explicit Adam(const UpdatePass& pass)
      : rate(all(pass.learning_rate)),
        rest_1(all(1 - pass.form->beta_1)),
        rest_2(all(1 - pass.form->beta_2)),
        epsilon(all(pass.form->epsilon)),
        amsgrad(pass.form->amsgrad) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    slots[0] = drawn_to(slots[0], g, rest_1);
    slots[1] = drawn_to(slots[1], hn::Mul(g, g), rest_2);
    RowVector second = slots[1];
    if (amsgrad) second = slots[2] = hn::Max(slots[2], slots[1]);
    return hn::Sub(w, hn::Div(hn::Mul(slots[0], rate), hn::Add(hn::Sqrt(second), epsilon)));
  }
};

struct Adagrad {
  RowVector rate, epsilon;

  explicit Adagrad(const UpdatePass& pass)
      : rate(all(pass.learning_rate)), epsilon(all(pass.form->epsilon)) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    slots[0] = hn::MulAdd(g, g, slots[0]);
    return hn::Sub(w, hn::Div(hn::Mul(rate, g), hn::Sqrt(hn::Add(slots[0], epsilon))));
  }
};

struct Adadelta {
  RowVector rate, rho, rest, epsilon;

  explicit Adadelta(const UpdatePass& pass)
      : rate(all(pass.learning_rate)),
        rho(all(pass.form->rho)),
        rest(all(1 - pass.form->rho)),
        epsilon(all(pass.form->epsilon)) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    slots[0] = hn::MulAdd(rho, slots[0], hn::Mul(rest, hn::Mul(g, g)));
    const RowVector moved = hn::Sqrt(hn::Add(slots[1], epsilon));
    const RowVector move = hn::Div(hn::Mul(moved, g), hn::Sqrt(hn::Add(slots[0], epsilon)));
    slots[1] = hn::MulAdd(rho, slots[1], hn::Mul(rest, hn::Mul(move, move)));
    return hn::NegMulAdd(rate, move, w);
  }
};

// Its rate is that of the mean; the rule's scalars are the rate of the gradient and the correction
// of the mean square.
struct Nadam {
  RowVector rate, gradient_rate, square_scale, rest_1, rest_2, epsilon;

  explicit Nadam(const UpdatePass& pass)
      : rate(all(pass.learning_rate)),
        gradient_rate(all(pass.rule_scalars[0])),
        square_scale(all(pass.rule_scalars[1])),
        rest_1(all(1 - pass.form->beta_1)),
        rest_2(all(1 - pass.form->beta_2)),
        epsilon(all(pass.form->epsilon)) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    slots[0] = drawn_to(slots[0], g, rest_1);
    slots[1] = drawn_to(slots[1], hn::Mul(g, g), rest_2);
    const RowVector move = hn::MulAdd(rate, slots[0], hn::Mul(gradient_rate, g));
    return hn::Sub(w, hn::Div(move, hn::Add(hn::Sqrt(hn::Mul(slots[1], square_scale)), epsilon)));
  }
};

struct Adamax {
  RowVector rate, rest_1, beta_2, epsilon;

  explicit Adamax(const UpdatePass& pass)
      : rate(all(pass.learning_rate)),
        rest_1(all(1 - pass.form->beta_1)),
        beta_2(all(pass.form->beta_2)),
        epsilon(all(pass.form->epsilon)) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    slots[0] = drawn_to(slots[0], g, rest_1);
    slots[1] = hn::Max(hn::Mul(beta_2, slots[1]), hn::Abs(g));
    return hn::Sub(w, hn::Div(hn::Mul(rate, slots[0]), hn::Add(slots[1], epsilon)));
  }
};

struct Lion {
  RowVector rate, beta_1, rest_1, beta_2, rest_2;

  explicit Lion(const UpdatePass& pass)
      : rate(all(pass.learning_rate)),
        beta_1(all(pass.form->beta_1)),
        rest_1(all(1 - pass.form->beta_1)),
        beta_2(all(pass.form->beta_2)),
        rest_2(all(1 - pass.form->beta_2)) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    const RowVector mixed = hn::MulAdd(slots[0], beta_1, hn::Mul(g, rest_1));
    slots[0] = hn::MulAdd(slots[0], beta_2, hn::Mul(g, rest_2));
    const auto has_sign = hn::Gt(hn::Abs(mixed), hn::Zero(RowTag()));
    return hn::Sub(w, hn::IfThenElse(has_sign, hn::CopySign(rate, mixed), mixed));
  }
};

struct Ftrl {
  RowVector rate, power, l1, twice_l2, shrinkage;
  bool is_root;

  explicit Ftrl(const UpdatePass& pass)
      : rate(all(pass.learning_rate)),
        power(all(-pass.form->learning_rate_power)),
        l1(all(pass.form->l1)),
        twice_l2(all(2 * pass.form->l2 + pass.form->beta / pass.learning_rate)),
        shrinkage(all(2 * pass.form->l2_shrinkage)),
        is_root(pass.form->learning_rate_power == -0.5) {}

  HWY_INLINE RowVector raised(RowVector x) const {
    if (is_root) return hn::Sqrt(x);
    const RowTag d;
    return vector_exp(d, hn::Mul(power, vector_log(d, x)));
  }
  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    RowVector &sum = slots[0], &linear = slots[1];
    const RowVector new_sum = hn::MulAdd(g, g, sum), new_power = raised(new_sum);
    const RowVector sigma = hn::Div(hn::Sub(new_power, raised(sum)), rate);
    sum = new_sum;
    linear = hn::Add(linear, hn::NegMulAdd(sigma, w, hn::MulAdd(shrinkage, w, g)));
    const RowVector quadratic = hn::Add(hn::Div(new_power, rate), twice_l2);
    const RowVector kept = hn::Min(hn::Max(linear, hn::Neg(l1)), l1);
    return hn::Div(hn::Sub(kept, linear), quadratic);
  }
};

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
