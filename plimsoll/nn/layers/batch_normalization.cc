#include "plimsoll/nn/layers/batch_normalization.h"

#include <fmt/format.h>

#include <cmath>

#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/normalization/normalization.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kFuzz = 1e-7;  // Keras's, beside a sum that may be 0

class BatchNormalizationBody final : public LayerOf<BatchNormalizationOptions> {
 public:
  using LayerOf::LayerOf;
  std::string_view class_name() const override { return "BatchNormalization"; }
  RangeEffect range_effect() const override { return RangeEffect::normalizes_batch(); }
  bool mixes_samples(bool is_training) const override { return is_training && trainable(); }
  bool supports_masking() const override { return true; }

  void build(const Specs& inputs) override {
    channels_ = inputs[0].shape[axis_of(inputs[0].shape)];
    gamma_ = options_.scale ? add_weight({.name = "gamma",
                                          .shape = {channels_},
                                          .initializer = options_.gamma_initializer,
                                          .regularizer = options_.gamma_regularizer,
                                          .constraint = options_.gamma_constraint})
                            : constant("gamma", "ones");
    beta_ = options_.center ? add_weight({.name = "beta",
                                          .shape = {channels_},
                                          .initializer = options_.beta_initializer,
                                          .regularizer = options_.beta_regularizer,
                                          .constraint = options_.beta_constraint})
                            : constant("beta", "zeros");
    moving_mean_ = add_statistic("moving_mean", options_.moving_mean_initializer);
    moving_variance_ = add_statistic("moving_variance", options_.moving_variance_initializer);
    if (!options_.renorm) return;
    moving_stddev_ = add_stddev("moving_stddev");
    renorm_mean_ = add_statistic("renorm_mean", options_.moving_mean_initializer);
    renorm_stddev_ = add_stddev("renorm_stddev");
  }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    const Tensor x = as_float(inputs[0]);
    const int last = x.rank() - 1, axis = axis_of(x.shape());
    if (axis == last) return {normalized(x, context.mask, context)};
    std::vector<int> there, back(static_cast<size_t>(x.rank()));
    for (int i = 0; i <= last; ++i)
      if (i != axis) there.push_back(i);
    there.push_back(axis);
    for (int i = 0; i <= last; ++i) back[static_cast<size_t>(there[static_cast<size_t>(i)])] = i;
    Tensor mask;
    if (context.mask.defined())
      mask = transpose(broadcast_to(expand_dims(context.mask, -1), x.shape()), there);
    return {transpose(normalized(transpose(x, there), mask, context), back)};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (shape.rank() < 2)
      refuse("expected an input of rank 2 or more, (batch, …, channels), found " +
             shape.to_string());
    if (options_.axis < -shape.rank() || options_.axis >= shape.rank() || axis_of(shape) == 0)
      refuse(fmt::format("axis must be an axis of {} other than the batch, found {}",
                         shape.to_string(), options_.axis));
    const int64_t found = shape[axis_of(shape)];
    if (built() && found != channels_)
      refuse(fmt::format("input has {} channels, the layer was built for {} (found shape {})",
                         found, channels_, shape.to_string()));
  }

 private:
  struct Moments {
    Tensor mean, variance;
  };

  int axis_of(const Shape& shape) const {
    return options_.axis < 0 ? options_.axis + shape.rank() : options_.axis;
  }

  Variable add_statistic(const char* name, const Initializer& initializer) {
    return add_weight(
        {.name = name, .shape = {channels_}, .initializer = initializer, .trainable = false});
  }
  // The square root of the initial variance.
  Variable add_stddev(const char* name) {
    Variable stddev = add_statistic(name, options_.moving_variance_initializer);
    auto values =
        options_.moving_variance_initializer.values(stddev.shape(), random_seed(), stddev.name());
    for (float& value : values) value = std::sqrt(value);
    stddev.set(values);
    return stddev;
  }
  // A parameter that is switched off is a constant, not a weight.
  Variable constant(const char* name, const Initializer& initializer) const {
    Variable variable(name, {DType::float32, {channels_}}, false);
    initializer.fill(variable, 0);
    return variable;
  }

  // x has the channels last; the mask has the shape of x, with or without that axis.
  Tensor normalized(const Tensor& x, const Tensor& mask, const CallContext& context) {
    if (!context.is_training || !trainable()) {
      const Tensor scale = gamma_ * rsqrt(moving_variance_ + options_.epsilon);
      return scale_shift(x, scale, beta_ - moving_mean_ * scale);
    }
    if (!mask.defined() && !options_.renorm) {
      const BatchNormalized batch = batch_normalize(x, gamma_, beta_, options_.epsilon);
      keep(batch.mean, batch.variance);
      return batch.y;
    }
    const Moments batch = moments(x, mask);
    const Tensor unit = (x - batch.mean) * rsqrt(batch.variance + options_.epsilon);
    if (options_.renorm) return renormalized(unit, batch);
    keep(batch.mean, batch.variance);
    return scale_shift(unit, gamma_, beta_);
  }

  Moments moments(const Tensor& x, Tensor mask) const {
    std::vector<int> axes;
    for (int i = 0; i < x.rank() - 1; ++i) axes.push_back(i);
    if (!mask.defined()) {
      const Tensor average = mean(x, axes);
      return {average, mean(square(x - average), axes)};
    }
    if (mask.rank() < x.rank()) mask = expand_dims(mask, -1);
    const Tensor counts = sum(cast(broadcast_to(mask, x.shape()), DType::float32), axes) + kFuzz;
    const Tensor average = sum(select(mask, x, 0.0), axes) / counts;
    return {average, sum(select(mask, square(x - average), 0.0), axes) / counts};
  }

  void keep(const Tensor& mean, const Tensor& variance) {
    blend(moving_mean_, mean, options_.momentum);
    blend(moving_variance_, variance, options_.momentum);
  }
  static void blend(Variable& moving, const Tensor& statistic, double momentum) {
    moving.assign(moving * momentum + statistic * (1 - momentum));
  }

  // The batch's statistics are replaced by the moving ones, through which no gradient flows.
  Tensor renormalized(const Tensor& unit, const Moments& batch) {
    const RenormClipping& limits = options_.renorm_clipping;
    const Tensor stddev = sqrt(batch.variance + options_.epsilon);
    const Tensor divisor = maximum(renorm_stddev_, std::sqrt(options_.epsilon));
    Tensor r = stddev / divisor, d = (batch.mean - renorm_mean_) / divisor;
    if (limits.rmin) r = maximum(r, *limits.rmin);
    if (limits.rmax) r = minimum(r, *limits.rmax);
    if (limits.dmax) d = clip(d, -*limits.dmax, *limits.dmax);
    r = stop_gradient(r);
    d = stop_gradient(d);
    blend(renorm_mean_, batch.mean, options_.renorm_momentum);
    blend(renorm_stddev_, stddev, options_.renorm_momentum);
    blend(moving_mean_, batch.mean, options_.momentum);
    blend(moving_stddev_, stddev, options_.momentum);
    moving_variance_.assign(relu(square(moving_stddev_) - options_.epsilon));
    return scale_shift(unit, r * gamma_, d * gamma_ + beta_);
  }

  int64_t channels_ = 0;
  Variable gamma_, beta_, moving_mean_, moving_variance_;
  Variable moving_stddev_, renorm_mean_, renorm_stddev_;  // with renorm
};

}  // namespace

BatchNormalization::BatchNormalization(const BatchNormalizationOptions& options)
    : Layer(make_layer<BatchNormalizationBody>(options)) {}

}  // namespace plimsoll
