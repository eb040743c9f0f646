#include "plimsoll/nn/layers/alpha_dropout.h"

#include <fmt/format.h>

#include <cmath>

#include "plimsoll/nn/layers/noise_shape.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

// The limit of selu far below 0.
constexpr double kSaturated = -1.6732632423543772 * 1.0507009873554805;

class AlphaDropoutBody final : public DropsElements<AlphaDropoutOptions> {
 public:
  using DropsElements::DropsElements;
  void validate() const {
    if (!(options_.rate >= 0 && options_.rate < 1))
      refuse(fmt::format("rate must be at least 0 and less than 1, found {}", options_.rate));
  }
  std::string_view class_name() const override { return "AlphaDropout"; }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    if (!context.is_training || options_.rate == 0) return {inputs[0]};
    const Tensor x = as_float(inputs[0]);
    const RandomState state = draw();
    const Tensor kept =
        greater_equal(random_uniform(noise_shape_for(options_.noise_shape, x.shape()), 0, 1, state),
                      options_.rate);
    // The mean and the variance do not change.
    const double rate = options_.rate;
    const double scale = 1 / std::sqrt((1 - rate) * (1 + rate * kSaturated * kSaturated));
    return {(select(kept, x, kSaturated) - kSaturated * rate) * scale};
  }
};

}  // namespace

void describe(Fields& fields, AlphaDropoutOptions& options) {
  fields.with("rate", options.rate).with("seed", options.seed);
  describe_noise_shape(fields, options.noise_shape);
}

AlphaDropout::AlphaDropout(const AlphaDropoutOptions& options)
    : Layer(make_layer<AlphaDropoutBody>(options)) {}

}  // namespace plimsoll
