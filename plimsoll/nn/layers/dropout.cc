#include "plimsoll/nn/layers/dropout.h"

#include <fmt/format.h>

#include "plimsoll/nn/layers/noise_shape.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class DropoutBody final : public DropsElements<DropoutOptions> {
 public:
  using DropsElements::DropsElements;
  void validate() const {
    if (!(options_.rate >= 0 && options_.rate <= 1))
      refuse(fmt::format("rate must be between 0 and 1, found {}", options_.rate));
    for (const int64_t dim : options_.noise_shape)
      if (dim < 1 && dim != -1)
        refuse("noise_shape must have dimensions of at least 1, found " +
               options_.noise_shape.to_string());
  }
  std::string_view class_name() const override { return "Dropout"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    if (!context.is_training || options_.rate == 0) return {inputs[0]};
    const Tensor x = as_float(inputs[0]);
    if (options_.rate == 1) return {x * 0.0};
    const RandomState state = draw();
    if (options_.noise_shape.rank() == 0) return {dropout(x, options_.rate, state)};
    const Tensor ones = broadcast_to(1.0, noise_shape_for(options_.noise_shape, x.shape()));
    return {x * dropout(ones, options_.rate, state)};
  }
};

}  // namespace

void describe(Fields& fields, DropoutOptions& options) {
  fields.with("rate", options.rate).with("seed", options.seed);
  describe_noise_shape(fields, options.noise_shape);
}

Dropout::Dropout(const DropoutOptions& options) : Layer(make_layer<DropoutBody>(options)) {}

}  // namespace plimsoll
