#include "plimsoll/nn/layers/alpha_dropout.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/nn/layers/noise_shape.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

// The limit of selu far below 0.
constexpr double kSaturated = -1.6732632423543772 * 1.0507009873554805;

class AlphaDropoutBody final : public LayerOf<AlphaDropoutOptions> {
 public:
  explicit AlphaDropoutBody(const AlphaDropoutOptions& options) : LayerOf(options) {
    if (!options.seed) return;
    seed_ = Variable("seed", {DType::int64, {}}, false);
    seed_.set_bytes(std::as_bytes(std::span(&*options.seed, 1)));
  }

  void validate() const {
    if (!(options_.rate >= 0 && options_.rate < 1))
      refuse(fmt::format("rate must be at least 0 and less than 1, found {}", options_.rate));
  }
  std::string_view class_name() const override { return "AlphaDropout"; }
  bool supports_masking() const override { return true; }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    if (!context.is_training || options_.rate == 0) return {inputs[0]};
    const Tensor x = as_float(inputs[0]);
    Clock& clock = training_clock();
    const RandomState state = seed_.defined() ? clock.draw(seed_) : clock.draw();
    const Tensor kept =
        greater_equal(random_uniform(noise_shape_for(options_.noise_shape, x.shape()), 0, 1, state),
                      options_.rate);
    // The mean and the variance do not change.
    const double rate = options_.rate;
    const double scale = 1 / std::sqrt((1 - rate) * (1 + rate * kSaturated * kSaturated));
    return {(select(kept, x, kSaturated) - kSaturated * rate) * scale};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& input = inputs[0].shape;
    if (!noise_shape_fits(options_.noise_shape, input))
      refuse(fmt::format("noise_shape {} does not broadcast to the input {}",
                         options_.noise_shape.to_string(), input.to_string()));
  }

 private:
  Variable seed_;  // undefined: the clock's
};

}  // namespace

void describe(Fields& fields, AlphaDropoutOptions& options) {
  fields.with("rate", options.rate).with("seed", options.seed);
  describe_noise_shape(fields, options.noise_shape);
}

AlphaDropout::AlphaDropout(const AlphaDropoutOptions& options)
    : Layer(make_layer<AlphaDropoutBody>(options)) {}

}  // namespace plimsoll
