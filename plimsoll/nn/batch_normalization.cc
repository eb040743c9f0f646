#include "plimsoll/nn/batch_normalization.h"

#include "plimsoll/nn/make_layer.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/normalization.h"

namespace plimsoll {
namespace {

class BatchNormalizationBody final : public LayerBody {
 public:
  explicit BatchNormalizationBody(const BatchNormalizationOptions& options) : options_(options) {}

  std::string_view class_name() const override { return "BatchNormalization"; }

  void build(const Specs& inputs) override {
    const Shape shape{inputs[0].shape.back()};
    const auto fixed = [&](const char* name, const Initializer& initializer) {
      return add_weight(
          {.name = name, .shape = shape, .initializer = initializer, .trainable = false});
    };
    // What is switched off stays a constant and is no weight.
    const auto constant = [&](const char* name, const Initializer& initializer) {
      Variable variable(name, {DType::float32, shape}, false);
      initializer.fill(variable, 0);
      return variable;
    };
    gamma_ = options_.scale ? add_weight({.name = "gamma",
                                          .shape = shape,
                                          .initializer = options_.gamma_initializer,
                                          .regularizer = options_.gamma_regularizer})
                            : constant("gamma", "ones");
    beta_ = options_.center ? add_weight({.name = "beta",
                                          .shape = shape,
                                          .initializer = options_.beta_initializer,
                                          .regularizer = options_.beta_regularizer})
                            : constant("beta", "zeros");
    moving_mean_ = fixed("moving_mean", options_.moving_mean_initializer);
    moving_variance_ = fixed("moving_variance", options_.moving_variance_initializer);
  }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    const Tensor x = as_float(inputs[0]);
    if (!context.is_training || !trainable()) {
      const Tensor scale = gamma_ * rsqrt(moving_variance_ + options_.epsilon);
      return {scale_shift(x, scale, beta_ - moving_mean_ * scale)};
    }
    const BatchNormalized batch = batch_normalize(x, gamma_, beta_, options_.epsilon);
    keep(moving_mean_, batch.mean);
    keep(moving_variance_, batch.variance);
    return {batch.y};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (shape.rank() < 2)
      refuse("expected an input of rank 2 or more, (batch, …, channels), found " +
             shape.to_string());
    if (options_.axis != -1 && options_.axis != shape.rank() - 1)
      refuse("axis must be the last one (-1), found " + std::to_string(options_.axis));
    if (built() && shape.back() != gamma_.shape()[0])
      refuse("input has " + std::to_string(shape.back()) + " channels, the layer was built for " +
             std::to_string(gamma_.shape()[0]) + " (found shape " + shape.to_string() + ")");
  }

 private:
  void keep(Variable& moving, const Tensor& statistic) const {
    moving.assign(moving * options_.momentum + statistic * (1 - options_.momentum));
  }

  BatchNormalizationOptions options_;
  Variable gamma_, beta_, moving_mean_, moving_variance_;
};

}  // namespace

BatchNormalization::BatchNormalization(const BatchNormalizationOptions& options)
    : Layer(make_layer<BatchNormalizationBody>(options)) {}

}  // namespace plimsoll
