#include "plimsoll/nn/optimizers/adam.h"

#include "plimsoll/nn/optimizers/make_optimizer.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

template <class Options>
class AdamBody final : public OptimizerOf<Options> {
 public:
  using Base = OptimizerOf<Options>;
  using Base::Base;

 protected:
  std::vector<std::string> slot_names() const override {
    std::vector<std::string> names = {"momentum", "velocity"};
    if (options_.amsgrad) names.push_back("velocity_hat");
    return names;
  }
  size_t interleaved_slots() const override { return 2; }

  // Corrects for the means having started at 0.
  void prepare(UpdateScalars& scalars, const OptimizerBody::Pace& pace) override {
    const Tensor step = cast(pace.updates + 1, DType::float32);
    const Tensor mean_share = 1 - power(scalar(options_.beta_1), step);
    const Tensor square_share = 1 - power(scalar(options_.beta_2), step);
    scalars.learning_rate = scalars.learning_rate * sqrt(square_share) / mean_share;
  }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return adam_update(weight, gradient, slots, scalars, options_.beta_1, options_.beta_2,
                       options_.epsilon, options_.amsgrad);
  }

 private:
  using Base::options_;
};

template <class Options>
void describe_adam(Fields& fields, Options& options) {
  describe_settings(fields, options)
      .with("beta_1", options.beta_1)
      .with("beta_2", options.beta_2)
      .with("epsilon", options.epsilon)
      .with("amsgrad", options.amsgrad);
}

}  // namespace

void describe(Fields& fields, AdamOptions& options) {
  describe_adam(fields, options);
}
void describe(Fields& fields, AdamWOptions& options) {
  describe_adam(fields, options);
}

Adam::Adam(const AdamOptions& options)
    : Optimizer(std::make_shared<AdamBody<AdamOptions>>("Adam", options)) {}
AdamW::AdamW(const AdamWOptions& options)
    : Optimizer(std::make_shared<AdamBody<AdamWOptions>>("AdamW", options)) {}

}  // namespace plimsoll
