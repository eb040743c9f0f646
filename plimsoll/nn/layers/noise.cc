#include "plimsoll/nn/layers/noise.h"

#include <fmt/format.h>

#include <cmath>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layer_seed.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

// What these layers share: a strength between 0 and 1, and a source of random numbers.
template <class Options>
class NoiseOf : public LayerOf<Options> {
 public:
  explicit NoiseOf(const Options& options) : LayerOf<Options>(options) {
    if constexpr (requires { options.seed; }) seed_ = LayerSeed(options.seed);
  }
  bool supports_masking() const override { return true; }
  std::vector<std::string> seed_groups() const override {
    return strength() > 0 ? std::vector<std::string>{"seed_generator"} : std::vector<std::string>{};
  }
  Tensors call(const Tensors& inputs, const CallContext& context) override {
    if (!context.is_training || strength() == 0) return {inputs[0]};
    return {disturbed(as_float(inputs[0]), seed_.draw())};
  }

 protected:
  virtual double strength() const = 0;
  virtual Tensor disturbed(const Tensor& x, const RandomState& state) const = 0;
  void refuse_strength(const char* what, bool below_one) const {
    if (!(strength() >= 0 && strength() <= 1) || (below_one && strength() == 1))
      this->refuse(fmt::format("{} must be between 0 and 1, found {}", what, strength()));
  }

 private:
  LayerSeed seed_;
};

class GaussianNoiseBody final : public NoiseOf<GaussianNoiseOptions> {
 public:
  using NoiseOf::NoiseOf;
  void validate() const { refuse_strength("stddev", false); }
  std::string_view class_name() const override { return "GaussianNoise"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

 protected:
  double strength() const override { return options_.stddev; }
  Tensor disturbed(const Tensor& x, const RandomState& state) const override {
    return x + random_normal(x.shape(), 0, options_.stddev, state);
  }
};

class GaussianDropoutBody final : public NoiseOf<GaussianDropoutOptions> {
 public:
  using NoiseOf::NoiseOf;
  void validate() const { refuse_strength("rate", true); }
  std::string_view class_name() const override { return "GaussianDropout"; }

 protected:
  double strength() const override { return options_.rate; }
  Tensor disturbed(const Tensor& x, const RandomState& state) const override {
    const double stddev = std::sqrt(options_.rate / (1 - options_.rate));
    return x * random_normal(x.shape(), 1, stddev, state);
  }
};

// One to three axes between the batch and the channels are dropped together.
template <class Options, int kAxes>
class SpatialDropoutBody final : public NoiseOf<Options> {
 public:
  using NoiseOf<Options>::NoiseOf;
  void validate() const { this->refuse_strength("rate", false); }
  std::string_view class_name() const override {
    return kAxes == 1 ? "SpatialDropout1D" : kAxes == 2 ? "SpatialDropout2D" : "SpatialDropout3D";
  }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  bool config_has_trainable() const override { return false; }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].shape.rank() != kAxes + 2)
      this->refuse(fmt::format("expected an input of rank {}, found {}", kAxes + 2,
                               inputs[0].shape.to_string()));
  }
  double strength() const override { return this->options_.rate; }
  Tensor disturbed(const Tensor& x, const RandomState& state) const override {
    if (strength() == 1) return x * 0.0;
    Shape shape = x.shape();
    for (int axis = 1; axis <= kAxes; ++axis) shape[axis] = 1;
    return x * dropout(broadcast_to(1.0, shape), strength(), state);
  }
};

class StochasticDepthBody final : public NoiseOf<StochasticDepthOptions> {
 public:
  using NoiseOf::NoiseOf;
  void validate() const { refuse_strength("drop_path_rate", false); }
  std::string_view class_name() const override { return "StochasticDepth"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  bool supports_masking() const override { return false; }
  // Keras's draws from the generator of the process.
  std::vector<std::string> seed_groups() const override { return {}; }

 protected:
  double strength() const override { return options_.drop_path_rate; }
  Tensor disturbed(const Tensor& x, const RandomState& state) const override {
    if (strength() == 1) return x * 0.0;
    Shape shape = x.shape();
    for (int axis = 1; axis < shape.rank(); ++axis) shape[axis] = 1;
    return x * dropout(broadcast_to(1.0, shape), strength(), state);
  }
};

}  // namespace

void describe(Fields& fields, GaussianNoiseOptions& options) {
  fields.with("stddev", options.stddev).with("seed", options.seed);
}

void describe(Fields& fields, GaussianDropoutOptions& options) {
  fields.with("rate", options.rate).with("seed", options.seed);
}

void describe(Fields& fields, SpatialDropout1DOptions& options) {
  fields.with("rate", options.rate).with("seed", options.seed);
}

void describe(Fields& fields, SpatialDropout2DOptions& options) {
  fields.with("rate", options.rate).with("seed", options.seed).only("data_format", "channels_last");
}

void describe(Fields& fields, SpatialDropout3DOptions& options) {
  fields.with("rate", options.rate).with("seed", options.seed).only("data_format", "channels_last");
}

void describe(Fields& fields, StochasticDepthOptions& options) {
  fields.with("drop_path_rate", options.drop_path_rate);
}

GaussianNoise::GaussianNoise(const GaussianNoiseOptions& options)
    : Layer(make_layer<GaussianNoiseBody>(options)) {}
GaussianDropout::GaussianDropout(const GaussianDropoutOptions& options)
    : Layer(make_layer<GaussianDropoutBody>(options)) {}
SpatialDropout1D::SpatialDropout1D(const SpatialDropout1DOptions& options)
    : Layer(make_layer<SpatialDropoutBody<SpatialDropout1DOptions, 1>>(options)) {}
SpatialDropout2D::SpatialDropout2D(const SpatialDropout2DOptions& options)
    : Layer(make_layer<SpatialDropoutBody<SpatialDropout2DOptions, 2>>(options)) {}
SpatialDropout3D::SpatialDropout3D(const SpatialDropout3DOptions& options)
    : Layer(make_layer<SpatialDropoutBody<SpatialDropout3DOptions, 3>>(options)) {}
StochasticDepth::StochasticDepth(const StochasticDepthOptions& options)
    : Layer(make_layer<StochasticDepthBody>(options)) {}

}  // namespace plimsoll
