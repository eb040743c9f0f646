#include "plimsoll/nn/optimizers/rmsprop.h"

#include "plimsoll/nn/optimizers/make_optimizer.h"

namespace plimsoll {
namespace {

class RMSpropBody final : public OptimizerOf<RMSpropOptions> {
 public:
  explicit RMSpropBody(const RMSpropOptions& options) : OptimizerOf("RMSprop", options) {}

 protected:
  std::vector<std::string> slot_names() const override {
    std::vector<std::string> names = {"velocity"};
    if (options_.momentum > 0) names.push_back("momentum");
    if (options_.centered) names.push_back("average_gradient");
    return names;
  }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return rmsprop_update(weight, gradient, slots, scalars, options_.rho, options_.momentum,
                          options_.epsilon, options_.centered);
  }
};

}  // namespace

void describe(Fields& fields, RMSpropOptions& options) {
  describe_settings(fields, options)
      .with("rho", options.rho)
      .with("momentum", options.momentum)
      .with("epsilon", options.epsilon)
      .with("centered", options.centered);
}

RMSprop::RMSprop(const RMSpropOptions& options)
    : Optimizer(std::make_shared<RMSpropBody>(options)) {}

}  // namespace plimsoll
