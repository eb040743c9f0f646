#include "plimsoll/nn/optimizers/adadelta.h"

#include "plimsoll/nn/optimizers/make_optimizer.h"

namespace plimsoll {
namespace {

class AdadeltaBody final : public OptimizerOf<AdadeltaOptions> {
 public:
  explicit AdadeltaBody(const AdadeltaOptions& options) : OptimizerOf("Adadelta", options) {}

 protected:
  std::vector<std::string> slot_names() const override {
    return {"accumulated_grad", "accumulated_delta_var"};
  }
  size_t interleaved_slots() const override { return 2; }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return adadelta_update(weight, gradient, slots, scalars, options_.rho, options_.epsilon);
  }
};

}  // namespace

void describe(Fields& fields, AdadeltaOptions& options) {
  describe_settings(fields, options).with("rho", options.rho).with("epsilon", options.epsilon);
}

Adadelta::Adadelta(const AdadeltaOptions& options)
    : Optimizer(std::make_shared<AdadeltaBody>(options)) {}

}  // namespace plimsoll
