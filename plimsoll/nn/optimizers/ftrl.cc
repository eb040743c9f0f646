#include "plimsoll/nn/optimizers/ftrl.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/optimizers/make_optimizer.h"

namespace plimsoll {
namespace {

class FtrlBody final : public OptimizerOf<FtrlOptions> {
 public:
  explicit FtrlBody(const FtrlOptions& options) : OptimizerOf("Ftrl", options) {
    if (options.learning_rate_power > 0)
      throw InvalidArgument(fmt::format("{}: learning_rate_power must be 0 or below, found {}",
                                        name(), options.learning_rate_power));
    const double least = std::min(
        {options.initial_accumulator_value, options.l1_regularization_strength,
         options.l2_regularization_strength, options.l2_shrinkage_regularization_strength});
    if (!(least >= 0))
      throw InvalidArgument(
          fmt::format("{}: initial_accumulator_value and the regularization strengths must be 0 or "
                      "above, found {}",
                      name(), least));
  }

 protected:
  std::vector<std::string> slot_names() const override { return {"accumulator", "linear"}; }
  size_t interleaved_slots() const override { return 2; }
  double slot_start(size_t slot) const override {
    return slot == 0 ? options_.initial_accumulator_value : 0;
  }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return ftrl_update(weight, gradient, slots, scalars,
                       {.learning_rate_power = options_.learning_rate_power,
                        .l1 = options_.l1_regularization_strength,
                        .l2 = options_.l2_regularization_strength,
                        .l2_shrinkage = options_.l2_shrinkage_regularization_strength,
                        .beta = options_.beta});
  }
};

}  // namespace

void describe(Fields& fields, FtrlOptions& options) {
  describe_settings(fields, options)
      .with("learning_rate_power", options.learning_rate_power)
      .with("initial_accumulator_value", options.initial_accumulator_value)
      .with("l1_regularization_strength", options.l1_regularization_strength)
      .with("l2_regularization_strength", options.l2_regularization_strength)
      .with("l2_shrinkage_regularization_strength", options.l2_shrinkage_regularization_strength)
      .with("beta", options.beta);
}

Ftrl::Ftrl(const FtrlOptions& options) : Optimizer(std::make_shared<FtrlBody>(options)) {}

}  // namespace plimsoll
