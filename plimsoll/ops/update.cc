#include "plimsoll/ops/update.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/update.h"

namespace plimsoll {
namespace {

using kernels::UpdateForm;
using kernels::UpdateRule;

class Update final : public Op {
 public:
  explicit Update(const UpdateForm& form) : form_(form) {}

  std::string_view name() const override {
    constexpr std::string_view kNames[] = {"sgd_update", "rmsprop_update", "adam_update"};
    return kNames[static_cast<int>(form_.rule)];
  }
  void sign(Signature& signature) const override {
    const UpdateForm& f = form_;
    signature.add(f.slots).add(f.has_gradient_scale).add(f.has_weight_decay).add(f.clip_value);
    signature.add(f.momentum).add(f.nesterov).add(f.rho).add(f.centered);
    signature.add(f.beta_1).add(f.beta_2).add(f.amsgrad).add(f.epsilon);
  }

  Specs infer(std::span<const Spec> in) const override {
    const Spec& weight = in[0];
    if (weight.dtype != DType::float32)
      throw InvalidArgument("the weight must be float32, found " + weight.to_string());
    const auto tensors = static_cast<size_t>(2 + form_.slots);
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

  Arrays reference(std::span<const Array> in) const override {
    Arrays out = {in[0]};
    for (int s = 0; s < form_.slots; ++s) out.push_back(in[static_cast<size_t>(2 + s)]);
    auto scalar = static_cast<size_t>(2 + form_.slots);
    const double rate = in[scalar++][0];
    const double scale = form_.has_gradient_scale ? in[scalar++][0] : 1;
    const double decay = form_.has_weight_decay ? in[scalar][0] : 0;
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      double g = in[1][i] * scale;
      if (form_.clip_value > 0) g = std::clamp(g, -form_.clip_value, form_.clip_value);
      out[0][i] -= out[0][i] * decay;
      switch (form_.rule) {
        case UpdateRule::sgd:
          step_sgd(out, i, g, rate);
          break;
        case UpdateRule::rmsprop:
          step_rmsprop(out, i, g, rate);
          break;
        case UpdateRule::adam:
          step_adam(out, i, g, rate);
      }
    }
    return out;
  }

 private:
  // `out`: the weight, then the slots.
  void step_sgd(Arrays& out, int64_t i, double g, double rate) const {
    if (form_.slots == 0) {
      out[0][i] -= rate * g;
      return;
    }
    out[1][i] = form_.momentum * out[1][i] - rate * g;
    out[0][i] += form_.nesterov ? form_.momentum * out[1][i] - rate * g : out[1][i];
  }

  void step_rmsprop(Arrays& out, int64_t i, double g, double rate) const {
    const bool has_momentum = form_.momentum > 0;
    out[1][i] = form_.rho * out[1][i] + (1 - form_.rho) * g * g;
    double denominator = out[1][i] + form_.epsilon;
    if (form_.centered) {
      double& mean = out[has_momentum ? 3 : 2][i];
      mean = form_.rho * mean + (1 - form_.rho) * g;
      denominator -= mean * mean;
    }
    double move = rate * g / std::sqrt(denominator);
    if (has_momentum) move = out[2][i] = form_.momentum * out[2][i] + move;
    out[0][i] -= move;
  }

  void step_adam(Arrays& out, int64_t i, double g, double rate) const {
    double &m = out[1][i], &v = out[2][i];
    m += (g - m) * (1 - form_.beta_1);
    v += (g * g - v) * (1 - form_.beta_2);
    if (form_.amsgrad) out[3][i] = std::max(out[3][i], v);
    const double second = form_.amsgrad ? out[3][i] : v;
    out[0][i] -= rate * m / (std::sqrt(second) + form_.epsilon);
  }

  UpdateForm form_;
};

Updated update(UpdateForm form, const Tensor& weight, const Tensor& gradient, const Tensors& slots,
               const UpdateScalars& scalars, size_t expected_slots) {
  if (slots.size() != expected_slots)
    throw InvalidArgument(std::string(Update(form).name()) + ": expected " +
                          std::to_string(expected_slots) + " slots, found " +
                          std::to_string(slots.size()));
  form.slots = static_cast<int>(slots.size());
  form.clip_value = scalars.clip_value;
  form.has_gradient_scale = scalars.gradient_scale.defined();
  form.has_weight_decay = scalars.weight_decay.defined();
  Tensors inputs = {weight, gradient};
  inputs.insert(inputs.end(), slots.begin(), slots.end());
  inputs.push_back(scalars.learning_rate);
  if (form.has_gradient_scale) inputs.push_back(scalars.gradient_scale);
  if (form.has_weight_decay) inputs.push_back(scalars.weight_decay);
  Tensors outputs =
      apply_all(std::make_shared<Update>(form), inputs, std::source_location::current());
  return {outputs[0], Tensors(outputs.begin() + 1, outputs.end())};
}

}  // namespace

Updated sgd_update(const Tensor& weight, const Tensor& gradient, const Tensors& velocity,
                   const UpdateScalars& scalars, double momentum, bool nesterov) {
  const UpdateForm form{.rule = UpdateRule::sgd, .momentum = momentum, .nesterov = nesterov};
  return update(form, weight, gradient, velocity, scalars, momentum != 0 ? 1 : 0);
}

Updated rmsprop_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                       const UpdateScalars& scalars, double rho, double momentum, double epsilon,
                       bool centered) {
  const UpdateForm form{.rule = UpdateRule::rmsprop,
                        .momentum = momentum,
                        .rho = rho,
                        .centered = centered,
                        .epsilon = epsilon};
  const size_t count = 1 + (momentum > 0) + centered;
  return update(form, weight, gradient, slots, scalars, count);
}

Updated adam_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                    const UpdateScalars& scalars, double beta_1, double beta_2, double epsilon,
                    bool amsgrad) {
  const UpdateForm form{.rule = UpdateRule::adam,
                        .beta_1 = beta_1,
                        .beta_2 = beta_2,
                        .amsgrad = amsgrad,
                        .epsilon = epsilon};
  return update(form, weight, gradient, slots, scalars, amsgrad ? 3 : 2);
}

}  // namespace plimsoll
