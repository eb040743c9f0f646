#include "plimsoll/kernels/update.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/update.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/row_vectors-inl.h"

#ifndef PLIMSOLL_KERNELS_UPDATE_PASS
#define PLIMSOLL_KERNELS_UPDATE_PASS
namespace plimsoll::kernels {

// One pass over a range: where it reads and writes, and the scalars of this step.
struct UpdatePass {
  static constexpr int kMostSlots = 3;

  const UpdateForm* form = nullptr;
  const float* weight = nullptr;
  const float* gradient = nullptr;
  const float* slots[kMostSlots] = {};
  float* new_weight = nullptr;
  float* new_slots[kMostSlots] = {};
  float learning_rate = 0, gradient_scale = 1, weight_decay = 0;
};

}  // namespace plimsoll::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

HWY_INLINE RowVector all(double value) {
  return hn::Set(RowTag(), static_cast<float>(value));
}

struct Sgd {
  RowVector rate, momentum;
  bool has_velocity, nesterov;

  explicit Sgd(const UpdatePass& pass)
      : rate(hn::Set(RowTag(), pass.learning_rate)),
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
      : rate(hn::Set(RowTag(), pass.learning_rate)),
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
      : rate(hn::Set(RowTag(), pass.learning_rate)),
        rest_1(all(1 - pass.form->beta_1)),
        rest_2(all(1 - pass.form->beta_2)),
        epsilon(all(pass.form->epsilon)),
        amsgrad(pass.form->amsgrad) {}

  HWY_INLINE RowVector step(RowVector w, RowVector g, RowVector* slots) const {
    slots[0] = hn::MulAdd(hn::Sub(g, slots[0]), rest_1, slots[0]);
    slots[1] = hn::MulAdd(hn::Sub(hn::Mul(g, g), slots[1]), rest_2, slots[1]);
    if (amsgrad) slots[2] = hn::Max(slots[2], slots[1]);
    const RowVector second = slots[amsgrad ? 2 : 1];
    return hn::Sub(w, hn::Div(hn::Mul(slots[0], rate), hn::Add(hn::Sqrt(second), epsilon)));
  }
};

template <class Rule>
void pass_by(const UpdatePass& pass, int64_t begin, int64_t end) {
  const RowTag d;
  const Rule rule(pass);
  const int slot_count = pass.form->slots;
  const bool clips = pass.form->clip_value > 0, decays = pass.form->has_weight_decay;
  const RowVector scale = hn::Set(d, pass.gradient_scale), limit = all(pass.form->clip_value);
  const RowVector decay = hn::Set(d, pass.weight_decay);
  for (int64_t i = begin; i < end; i += kRowLanes) {
    const int64_t count = std::min(kRowLanes, end - i);
    RowVector g = hn::Mul(load_lanes(pass.gradient + i, count), scale);
    if (clips) g = hn::IfThenElse(hn::IsNaN(g), g, hn::Min(hn::Max(g, hn::Neg(limit)), limit));
    RowVector w = load_lanes(pass.weight + i, count);
    if (decays) w = hn::NegMulAdd(w, decay, w);
    RowVector slots[UpdatePass::kMostSlots] = {g, g, g};
    for (int s = 0; s < slot_count; ++s) slots[s] = load_lanes(pass.slots[s] + i, count);
    store_lanes(rule.step(w, g, slots), pass.new_weight + i, count);
    for (int s = 0; s < slot_count; ++s) store_lanes(slots[s], pass.new_slots[s] + i, count);
  }
}

void update_range(const UpdatePass& pass, int64_t begin, int64_t end) {
  switch (pass.form->rule) {
    case UpdateRule::sgd:
      return pass_by<Sgd>(pass, begin, end);
    case UpdateRule::rmsprop:
      return pass_by<RmsProp>(pass, begin, end);
    case UpdateRule::adam:
      return pass_by<Adam>(pass, begin, end);
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

HWY_EXPORT(update_range);

class Update final : public Kernel {
 public:
  Update(const UpdateForm& form, int64_t elements) : form_(form), elements_(elements) {}

  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrain = 16 * 1024;
    UpdatePass pass{.form = &form_,
                    .weight = arguments.input(0),
                    .gradient = arguments.input(1),
                    .new_weight = arguments.output(0)};
    for (int s = 0; s < form_.slots; ++s) {
      pass.slots[s] = arguments.input(2 + s);
      pass.new_slots[s] = arguments.output(1 + s);
    }
    int scalar = 2 + form_.slots;
    pass.learning_rate = *arguments.input(scalar++);
    if (form_.has_gradient_scale) pass.gradient_scale = *arguments.input(scalar++);
    if (form_.has_weight_decay) pass.weight_decay = *arguments.input(scalar);
    const auto update = HWY_DYNAMIC_DISPATCH(update_range);
    parallel_for(elements_, kGrain, [&](int64_t begin, int64_t end) { update(pass, begin, end); });
  }

 private:
  UpdateForm form_;
  int64_t elements_;
};

}  // namespace

KernelPtr make_update(const KernelRequest& request, const UpdateForm& form) {
  return std::make_unique<Update>(form, request.outputs[0].shape.elements());
}

}  // namespace plimsoll::kernels
#endif
