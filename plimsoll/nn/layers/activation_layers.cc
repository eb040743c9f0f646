#include "plimsoll/nn/layers/activation_layers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// What these layers share: one input, element by element.
template <class Options>
class ActivationOf : public LayerOf<Options> {
 public:
  using LayerOf<Options>::LayerOf;
  RangeEffect range_effect() const override { return RangeEffect::activates(); }
  bool supports_masking() const override { return true; }
};

class ReLUBody final : public ActivationOf<ReLUOptions> {
 public:
  using ActivationOf::ActivationOf;

  void validate() const {
    if (options_.max_value && !(*options_.max_value >= 0))
      refuse(fmt::format("max_value must not be negative, found {}", *options_.max_value));
    if (!(options_.negative_slope >= 0))
      refuse(fmt::format("negative_slope must not be negative, found {}", options_.negative_slope));
    if (!(options_.threshold >= 0))
      refuse(fmt::format("threshold must not be negative, found {}", options_.threshold));
  }
  std::string_view class_name() const override { return "ReLU"; }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    const auto& [max_value, slope, threshold, name, trainable] = options_;
    Tensor above = threshold == 0 ? relu(x) : select(greater(x, threshold), x, 0.0);
    if (max_value) above = minimum(above, *max_value);
    return {slope == 0 ? above : above - slope * relu(threshold - x)};
  }
};

class LeakyReLUBody final : public ActivationOf<LeakyReLUOptions> {
 public:
  using ActivationOf::ActivationOf;
  void validate() const {
    if (!(options_.negative_slope >= 0))
      refuse(fmt::format("negative_slope must not be negative, found {}", options_.negative_slope));
  }
  std::string_view class_name() const override { return "LeakyReLU"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {leaky_relu(as_float(inputs[0]), options_.negative_slope)};
  }
};

class ELUBody final : public ActivationOf<ELUOptions> {
 public:
  using ActivationOf::ActivationOf;
  std::string_view class_name() const override { return "ELU"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {elu(as_float(inputs[0]), options_.alpha)};
  }
};

class PReLUBody final : public ActivationOf<PReLUOptions> {
 public:
  using ActivationOf::ActivationOf;
  std::string_view class_name() const override { return "PReLU"; }

  void build(const Specs& inputs) override {
    Shape shape = inputs[0].shape.without(0);
    for (const int64_t axis : options_.shared_axes) shape[static_cast<int>(axis) - 1] = 1;
    alpha_ = add_weight({.name = "alpha",
                         .shape = shape,
                         .initializer = options_.alpha_initializer,
                         .regularizer = options_.alpha_regularizer,
                         .constraint = options_.alpha_constraint});
  }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    return {relu(x) - alpha_ * relu(-x)};
  }

 protected:
  void check(const Specs& inputs) const override {
    const int rank = inputs[0].shape.rank();
    for (const int64_t axis : options_.shared_axes)
      if (axis < 1 || axis >= rank)
        refuse(fmt::format("shared_axes must be between 1 and {}, found {}", rank - 1, axis));
  }

 private:
  Variable alpha_;
};

class SoftmaxBody final : public ActivationOf<SoftmaxOptions> {
 public:
  using ActivationOf::ActivationOf;
  std::string_view class_name() const override { return "Softmax"; }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    Tensor x = as_float(inputs[0]);
    if (context.mask.defined()) x = select(context.mask, x, kLeftOut);
    const Tensor y = options_.axis.size() == 1 ? softmax(x, options_.axis[0]) : over_axes(x);
    return {context.mask.defined() ? select(context.mask, y, 0.0) : y};
  }

 private:
  static constexpr double kLeftOut = -1e9;  // Keras's: exp of it is 0

  Tensor over_axes(const Tensor& x) const {
    const Tensor powers = exp(x - stop_gradient(max(x, options_.axis, true)));
    return powers / sum(powers, options_.axis, true);
  }
};

}  // namespace

void describe(Fields& fields, ReLUOptions& options) {
  fields.with("max_value", options.max_value)
      .with("negative_slope", options.negative_slope)
      .with("threshold", options.threshold);
}

void describe(Fields& fields, LeakyReLUOptions& options) {
  if (fields.has("alpha")) fields.with("alpha", options.negative_slope);  // Keras 2's name
  fields.with("negative_slope", options.negative_slope);
}

void describe(Fields& fields, ELUOptions& options) {
  fields.with("alpha", options.alpha);
}

void describe(Fields& fields, PReLUOptions& options) {
  fields.with("alpha_initializer", options.alpha_initializer)
      .with("alpha_regularizer", options.alpha_regularizer)
      .with("alpha_constraint", options.alpha_constraint);
  if (!fields.reading() && options.shared_axes.empty())
    fields.only_null("shared_axes");
  else
    fields.with("shared_axes", options.shared_axes);
}

void describe(Fields& fields, SoftmaxOptions& options) {
  if (!fields.reading() && options.axis.size() == 1)
    fields.write("axis", options.axis[0]);
  else
    fields.with("axis", options.axis);
}

ReLU::ReLU(const ReLUOptions& options) : Layer(make_layer<ReLUBody>(options)) {}
LeakyReLU::LeakyReLU(const LeakyReLUOptions& options) : Layer(make_layer<LeakyReLUBody>(options)) {}
ELU::ELU(const ELUOptions& options) : Layer(make_layer<ELUBody>(options)) {}
PReLU::PReLU(const PReLUOptions& options) : Layer(make_layer<PReLUBody>(options)) {}
Softmax::Softmax(const SoftmaxOptions& options) : Layer(make_layer<SoftmaxBody>(options)) {}

}  // namespace plimsoll
