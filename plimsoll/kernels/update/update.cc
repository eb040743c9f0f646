#include "plimsoll/kernels/update/update.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/update/update.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/update/update_pass.h"
#include "plimsoll/kernels/update/update_rules-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

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
    case UpdateRule::adagrad:
      return pass_by<Adagrad>(pass, begin, end);
    case UpdateRule::adadelta:
      return pass_by<Adadelta>(pass, begin, end);
    case UpdateRule::nadam:
      return pass_by<Nadam>(pass, begin, end);
    case UpdateRule::adamax:
      return pass_by<Adamax>(pass, begin, end);
    case UpdateRule::lion:
      return pass_by<Lion>(pass, begin, end);
    case UpdateRule::ftrl:
      return pass_by<Ftrl>(pass, begin, end);
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
    if (!read_scalars(arguments, pass)) return keep(pass);
    const auto update = HWY_DYNAMIC_DISPATCH(update_range);
    parallel_for(elements_, kGrain, [&](int64_t begin, int64_t end) { update(pass, begin, end); });
  }

 private:
  // False where the switch is off.
  bool read_scalars(const KernelArguments& arguments, UpdatePass& pass) const {
    int next = form_.tensors();
    pass.learning_rate = *arguments.input(next++);
    for (int i = 0; i < form_.rule_scalars; ++i) pass.rule_scalars[i] = *arguments.input(next++);
    if (form_.has_gradient_scale) pass.gradient_scale = *arguments.input(next++);
    if (form_.has_weight_decay) pass.weight_decay = *arguments.input(next++);
    return !form_.has_switch || *arguments.input(next) != 0;
  }

  void keep(const UpdatePass& pass) const {
    const auto copy = [this](const float* from, float* to) {
      if (from != to) std::memcpy(to, from, static_cast<size_t>(elements_) * sizeof(float));
    };
    copy(pass.weight, pass.new_weight);
    for (int s = 0; s < form_.slots; ++s) copy(pass.slots[s], pass.new_slots[s]);
  }

  UpdateForm form_;
  int64_t elements_;
};

}  // namespace

KernelPtr make_update(const KernelRequest& request, const UpdateForm& form) {
  return std::make_unique<Update>(form, request.outputs[0].shape.elements());
}

}  // namespace plimsoll::kernels
#endif
