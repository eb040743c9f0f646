#include "plimsoll/nn/optimizers/nadam.h"

#include <span>

#include "plimsoll/nn/optimizers/make_optimizer.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

class NadamBody final : public OptimizerOf<NadamOptions> {
 public:
  explicit NadamBody(const NadamOptions& options) : OptimizerOf("Nadam", options) {
    const float one = 1;
    product_ = Variable(name() + "/u_product", {DType::float32, {}}, false);
    product_.set(std::span(&one, 1));
  }

 protected:
  std::vector<std::string> slot_names() const override { return {"momentum", "velocity"}; }
  size_t interleaved_slots() const override { return 2; }
  Variables own_variables() const override { return {product_}; }
  void prepare(UpdateScalars& scalars, const Pace& pace) override {
    const Tensor step = cast(pace.updates + 1, DType::float32);
    const Tensor momentum = momentum_of(step), next_momentum = momentum_of(step + 1);
    const Tensor product = product_.value() * momentum;
    product_.assign(pace.is_due.defined()
                        ? select(not_equal(pace.is_due, 0), product, product_.value())
                        : product);
    const Tensor rate = scalars.learning_rate;
    scalars.learning_rate = rate * next_momentum / (1 - product * next_momentum);
    scalars.rule = {rate * (1 - momentum) / (1 - product),
                    1 / (1 - power(scalar(options_.beta_2), step))};
  }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    // Keras takes 1 - beta in float32 here.
    const auto beta_1 = static_cast<float>(options_.beta_1);
    const auto beta_2 = static_cast<float>(options_.beta_2);
    return nadam_update(weight, gradient, slots, scalars, beta_1, beta_2, options_.epsilon);
  }

 private:
  Tensor momentum_of(const Tensor& step) const {
    return options_.beta_1 * (1 - 0.5 * power(scalar(0.96), step));
  }

  Variable product_;  // of the momenta so far
};

}  // namespace

void describe(Fields& fields, NadamOptions& options) {
  describe_settings(fields, options)
      .with("beta_1", options.beta_1)
      .with("beta_2", options.beta_2)
      .with("epsilon", options.epsilon);
}

Nadam::Nadam(const NadamOptions& options) : Optimizer(std::make_shared<NadamBody>(options)) {}

}  // namespace plimsoll
