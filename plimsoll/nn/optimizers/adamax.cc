#include "plimsoll/nn/optimizers/adamax.h"

#include "plimsoll/nn/optimizers/make_optimizer.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

class AdamaxBody final : public OptimizerOf<AdamaxOptions> {
 public:
  explicit AdamaxBody(const AdamaxOptions& options) : OptimizerOf("Adamax", options) {}

 protected:
  std::vector<std::string> slot_names() const override { return {"momentum", "norm"}; }
  size_t interleaved_slots() const override { return 2; }
  void prepare(UpdateScalars& scalars, const Pace& pace) override {
    const Tensor step = cast(pace.updates + 1, DType::float32);
    scalars.learning_rate = scalars.learning_rate / (1 - power(scalar(options_.beta_1), step));
  }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return adamax_update(weight, gradient, slots, scalars, options_.beta_1, options_.beta_2,
                         options_.epsilon);
  }
};

}  // namespace

void describe(Fields& fields, AdamaxOptions& options) {
  describe_settings(fields, options)
      .with("beta_1", options.beta_1)
      .with("beta_2", options.beta_2)
      .with("epsilon", options.epsilon);
}

Adamax::Adamax(const AdamaxOptions& options) : Optimizer(std::make_shared<AdamaxBody>(options)) {}

}  // namespace plimsoll
