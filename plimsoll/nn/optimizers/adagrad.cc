#include "plimsoll/nn/optimizers/adagrad.h"

#include "plimsoll/nn/optimizers/make_optimizer.h"

namespace plimsoll {
namespace {

class AdagradBody final : public OptimizerOf<AdagradOptions> {
 public:
  explicit AdagradBody(const AdagradOptions& options) : OptimizerOf("Adagrad", options) {}

 protected:
  std::vector<std::string> slot_names() const override { return {"accumulator"}; }
  double slot_start(size_t) const override { return options_.initial_accumulator_value; }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return adagrad_update(weight, gradient, slots, scalars, options_.epsilon);
  }
};

}  // namespace

void describe(Fields& fields, AdagradOptions& options) {
  describe_settings(fields, options)
      .with("initial_accumulator_value", options.initial_accumulator_value)
      .with("epsilon", options.epsilon);
}

Adagrad::Adagrad(const AdagradOptions& options)
    : Optimizer(std::make_shared<AdagradBody>(options)) {}

}  // namespace plimsoll
