#include "plimsoll/nn/optimizers/lion.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/optimizers/make_optimizer.h"

namespace plimsoll {
namespace {

class LionBody final : public OptimizerOf<LionOptions> {
 public:
  explicit LionBody(const LionOptions& options) : OptimizerOf("Lion", options) {
    if (!(options.beta_1 > 0 && options.beta_1 <= 1))
      throw InvalidArgument(fmt::format("{}: beta_1 must be above 0 and at most 1, found {}",
                                        name(), options.beta_1));
  }

 protected:
  std::vector<std::string> slot_names() const override { return {"momentum"}; }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    // Keras takes 1 - beta in float32 here.
    const auto beta_1 = static_cast<float>(options_.beta_1);
    const auto beta_2 = static_cast<float>(options_.beta_2);
    return lion_update(weight, gradient, slots, scalars, beta_1, beta_2);
  }
};

}  // namespace

void describe(Fields& fields, LionOptions& options) {
  describe_settings(fields, options).with("beta_1", options.beta_1).with("beta_2", options.beta_2);
}

Lion::Lion(const LionOptions& options) : Optimizer(std::make_shared<LionBody>(options)) {}

}  // namespace plimsoll
