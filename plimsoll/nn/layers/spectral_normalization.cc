#include "plimsoll/nn/layers/spectral_normalization.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// Keras's guard against a division by 0.
constexpr double kLeastSquare = 1e-14;

Tensor unit(const Tensor& x) {
  return x * rsqrt(maximum(sum(square(x)), kLeastSquare));
}

class SpectralNormalizationBody final : public LayerOf<SpectralNormalizationOptions> {
 public:
  explicit SpectralNormalizationBody(const SpectralNormalizationOptions& options)
      : LayerOf(options) {
    if (options.layer.body() == nullptr)
      throw InvalidArgument("SpectralNormalization: expected a layer, found none");
  }

  void validate() const {
    if (options_.power_iterations < 1)
      refuse(
          fmt::format("power_iterations must be at least 1, found {}", options_.power_iterations));
  }
  std::string_view class_name() const override { return "SpectralNormalization"; }
  RangeEffect range_effect() const override { return options_.layer->range_effect(); }
  const LayerBody& unwrapped() const override { return options_.layer->unwrapped(); }
  std::vector<Child> children() const override { return {{"layer", options_.layer.body()}}; }

  // The layer inside is built by calling it; nothing of that call is computed.
  void build(const Specs& inputs) override {
    (*options_.layer)({placeholder(inputs[0])}, {});
    for (const Variable& weight : options_.layer->own_weights()) {
      const std::string& name = weight.name();
      if (name.ends_with("/kernel") || name.ends_with("/embeddings")) kernel_ = weight;
    }
    if (!kernel_.defined())
      refuse("expected a layer with a weight named kernel or embeddings, found a " +
             std::string(options_.layer->class_name()));
    adopt_weight(*options_.layer, kernel_);
    u_ = add_weight({.name = "vector_u",
                     .shape = {1, kernel_.shape().back()},
                     .initializer = TruncatedNormal({.stddev = 0.02}),
                     .trainable = false});
  }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    if (context.is_training) normalize_kernel();
    return (*options_.layer)(inputs, {.training = context.is_training, .mask = context.mask});
  }

 private:
  // The gradient of the kernel is that at its new value, which the optimizer then updates.
  void normalize_kernel() {
    const Tensor kernel = kernel_.value(), before = u_.value();
    const Tensor matrix = reshape(kernel, {-1, kernel.shape().back()});
    Tensor u = before, v;
    for (int64_t i = 0; i < options_.power_iterations; ++i) {
      v = unit(matmul(u, matrix, {.transpose_b = true}));
      u = unit(matmul(v, matrix));
    }
    const Tensor sigma = sum(matmul(v, matrix) * u);
    const Tensor is_zero = less_equal(max(abs(kernel)), 0.0);
    kernel_.assign(select(is_zero, kernel, kernel / select(is_zero, 1.0, sigma)));
    u_.assign(select(is_zero, before, u));
  }

  Variable kernel_, u_;
};

}  // namespace

void describe(Fields& fields, SpectralNormalizationOptions& options) {
  fields.with("layer", options.layer).with("power_iterations", options.power_iterations);
}

SpectralNormalization::SpectralNormalization(const SpectralNormalizationOptions& options)
    : Layer(make_layer<SpectralNormalizationBody>(options)) {}

}  // namespace plimsoll
