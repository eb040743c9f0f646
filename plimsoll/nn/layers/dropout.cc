#include "plimsoll/nn/layers/dropout.h"

#include <fmt/format.h>

#include <span>

#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/nn/layers/noise_shape.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class DropoutBody final : public LayerOf<DropoutOptions> {
 public:
  explicit DropoutBody(const DropoutOptions& options) : LayerOf(options) {
    if (!options.seed) return;
    seed_ = Variable("seed", {DType::int64, {}}, false);
    seed_.set_bytes(std::as_bytes(std::span(&*options.seed, 1)));
  }

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
  bool supports_masking() const override { return true; }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    if (!context.is_training || options_.rate == 0) return {inputs[0]};
    const Tensor x = as_float(inputs[0]);
    if (options_.rate == 1) return {x * 0.0};
    Clock& clock = training_clock();
    const RandomState state = seed_.defined() ? clock.draw(seed_) : clock.draw();
    if (options_.noise_shape.rank() == 0) return {dropout(x, options_.rate, state)};
    const Tensor ones = broadcast_to(1.0, noise_shape_for(options_.noise_shape, x.shape()));
    return {x * dropout(ones, options_.rate, state)};
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

void describe(Fields& fields, DropoutOptions& options) {
  fields.with("rate", options.rate).with("seed", options.seed);
  describe_noise_shape(fields, options.noise_shape);
}

Dropout::Dropout(const DropoutOptions& options) : Layer(make_layer<DropoutBody>(options)) {}

}  // namespace plimsoll
