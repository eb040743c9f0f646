#include "plimsoll/ops/update/update.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/update/update.h"
#include "plimsoll/ops/update/update_reference.h"

namespace plimsoll {
namespace {

using kernels::UpdateForm;
using kernels::UpdateRule;

void describe_form(Attributes& to, const UpdateForm& form) {
  const auto& [rule, slots, rule_scalars, has_gradient_scale, has_weight_decay, has_switch,
               clip_value, momentum, nesterov, rho, centered, beta_1, beta_2, amsgrad, epsilon,
               learning_rate_power, l1, l2, l2_shrinkage, beta] = form;  // the name says the rule
  to.with("slots", slots, 0).with("rule_scalars", rule_scalars, 0);
  to.with("gradient_scale", has_gradient_scale, false)
      .with("weight_decay", has_weight_decay, false);
  to.with("switch", has_switch, false).with("clipvalue", clip_value, 0);
  to.with("momentum", momentum, 0).with("nesterov", nesterov, false);
  to.with("rho", rho, 0).with("centered", centered, false);
  to.with("beta_1", beta_1, 0).with("beta_2", beta_2, 0).with("amsgrad", amsgrad, false);
  to.with("epsilon", epsilon, 0).with("learning_rate_power", learning_rate_power, 0);
  to.with("l1_regularization_strength", l1, 0).with("l2_regularization_strength", l2, 0);
  to.with("l2_shrinkage_regularization_strength", l2_shrinkage, 0).with("beta", beta, 0);
}

class Update final : public Op {
 public:
  explicit Update(const UpdateForm& form) : form_(form) {}

  std::string_view name() const override {
    constexpr std::string_view kNames[] = {"sgd_update",     "rmsprop_update",  "adam_update",
                                           "adagrad_update", "adadelta_update", "nadam_update",
                                           "adamax_update",  "lion_update",     "ftrl_update"};
    return kNames[static_cast<int>(form_.rule)];
  }
  void describe(Attributes& to) const override {
    const auto& [form] = *this;
    describe_form(to, form);
  }

  Specs infer(std::span<const Spec> in) const override {
    const Spec& weight = in[0];
    if (weight.dtype != DType::float32)
      throw InvalidArgument("the weight must be float32, found " + weight.to_string());
    const auto tensors = static_cast<size_t>(form_.tensors());
    for (size_t i = 1; i < in.size(); ++i) {
      const Spec expected = i < tensors ? weight : Spec{};
      if (in[i] == expected) continue;
      const char* what = i == 1 ? "the gradient" : i < tensors ? "a slot" : "a scalar";
      throw InvalidArgument(std::string(what) + " must be " + expected.to_string() + ", found " +
                            in[i].to_string());
    }
    return Specs(static_cast<size_t>(1 + form_.slots), weight);
  }

  std::vector<Overwrite> may_overwrite() const override {
    std::vector<Overwrite> pairs = {{0, 0}};
    for (int s = 0; s < form_.slots; ++s) pairs.push_back({2 + s, 1 + s});
    return pairs;
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_update(request, form_);
  }
  Arrays reference(std::span<const Array> in) const override { return reference_update(form_, in); }

 private:
  UpdateForm form_;
};

// The parts of an update.
struct Inputs {
  const Tensor &weight, &gradient;
  const Tensors& slots;
  const UpdateScalars& scalars;
};

Updated update(UpdateForm form, const Inputs& in, size_t expected_slots) {
  if (in.slots.size() != expected_slots)
    throw InvalidArgument(fmt::format("{}: expected {} slots, found {}", Update(form).name(),
                                      expected_slots, in.slots.size()));
  form.slots = static_cast<int>(in.slots.size());
  form.rule_scalars = static_cast<int>(in.scalars.rule.size());
  form.clip_value = in.scalars.clip_value;
  form.has_gradient_scale = in.scalars.gradient_scale.defined();
  form.has_weight_decay = in.scalars.weight_decay.defined();
  form.has_switch = in.scalars.is_on.defined();
  Tensors inputs = {in.weight, in.gradient};
  inputs.insert(inputs.end(), in.slots.begin(), in.slots.end());
  inputs.push_back(in.scalars.learning_rate);
  inputs.insert(inputs.end(), in.scalars.rule.begin(), in.scalars.rule.end());
  for (const Tensor& scalar :
       {in.scalars.gradient_scale, in.scalars.weight_decay, in.scalars.is_on})
    if (scalar.defined()) inputs.push_back(scalar);
  Tensors outputs = apply_all(std::make_shared<Update>(form), inputs, Place::here());
  return {outputs[0], Tensors(outputs.begin() + 1, outputs.end())};
}

}  // namespace

Updated sgd_update(const Tensor& weight, const Tensor& gradient, const Tensors& velocity,
                   const UpdateScalars& scalars, double momentum, bool nesterov) {
  const UpdateForm form{.rule = UpdateRule::sgd, .momentum = momentum, .nesterov = nesterov};
  return update(form, {weight, gradient, velocity, scalars}, momentum != 0 ? 1 : 0);
}

Updated rmsprop_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                       const UpdateScalars& scalars, double rho, double momentum, double epsilon,
                       bool centered) {
  const UpdateForm form{.rule = UpdateRule::rmsprop,
                        .momentum = momentum,
                        .rho = rho,
                        .centered = centered,
                        .epsilon = epsilon};
  return update(form, {weight, gradient, slots, scalars}, 1 + (momentum > 0) + centered);
}

Updated adam_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                    const UpdateScalars& scalars, double beta_1, double beta_2, double epsilon,
                    bool amsgrad) {
  const UpdateForm form{.rule = UpdateRule::adam,
                        .beta_1 = beta_1,
                        .beta_2 = beta_2,
                        .amsgrad = amsgrad,
                        .epsilon = epsilon};
  return update(form, {weight, gradient, slots, scalars}, amsgrad ? 3 : 2);
}

Updated adagrad_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                       const UpdateScalars& scalars, double epsilon) {
  const UpdateForm form{.rule = UpdateRule::adagrad, .epsilon = epsilon};
  return update(form, {weight, gradient, slots, scalars}, 1);
}

Updated adadelta_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                        const UpdateScalars& scalars, double rho, double epsilon) {
  const UpdateForm form{.rule = UpdateRule::adadelta, .rho = rho, .epsilon = epsilon};
  return update(form, {weight, gradient, slots, scalars}, 2);
}

Updated nadam_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                     const UpdateScalars& scalars, double beta_1, double beta_2, double epsilon) {
  if (scalars.rule.size() != 2)
    throw InvalidArgument(
        fmt::format("nadam_update: expected 2 scalars of its own, found {}", scalars.rule.size()));
  const UpdateForm form{
      .rule = UpdateRule::nadam, .beta_1 = beta_1, .beta_2 = beta_2, .epsilon = epsilon};
  return update(form, {weight, gradient, slots, scalars}, 2);
}

Updated adamax_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                      const UpdateScalars& scalars, double beta_1, double beta_2, double epsilon) {
  const UpdateForm form{
      .rule = UpdateRule::adamax, .beta_1 = beta_1, .beta_2 = beta_2, .epsilon = epsilon};
  return update(form, {weight, gradient, slots, scalars}, 2);
}

Updated lion_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                    const UpdateScalars& scalars, double beta_1, double beta_2) {
  const UpdateForm form{.rule = UpdateRule::lion, .beta_1 = beta_1, .beta_2 = beta_2};
  return update(form, {weight, gradient, slots, scalars}, 1);
}

Updated ftrl_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                    const UpdateScalars& scalars, const FtrlSettings& settings) {
  const UpdateForm form{.rule = UpdateRule::ftrl,
                        .learning_rate_power = settings.learning_rate_power,
                        .l1 = settings.l1,
                        .l2 = settings.l2,
                        .l2_shrinkage = settings.l2_shrinkage,
                        .beta = settings.beta};
  return update(form, {weight, gradient, slots, scalars}, 2);
}

}  // namespace plimsoll
