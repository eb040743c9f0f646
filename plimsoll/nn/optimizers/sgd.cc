#include "plimsoll/nn/optimizers/sgd.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/optimizers/make_optimizer.h"

namespace plimsoll {
namespace {

class SGDBody final : public OptimizerOf<SGDOptions> {
 public:
  explicit SGDBody(const SGDOptions& options) : OptimizerOf("SGD", options) {
    if (!(options.momentum >= 0 && options.momentum <= 1))
      throw InvalidArgument(
          fmt::format("{}: momentum must be between 0 and 1, found {}", name(), options.momentum));
  }

 protected:
  std::vector<std::string> slot_names() const override {
    return options_.momentum == 0 ? std::vector<std::string>{}
                                  : std::vector<std::string>{"momentum"};
  }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return sgd_update(weight, gradient, slots, scalars, options_.momentum, options_.nesterov);
  }
};

}  // namespace

void describe(Fields& fields, SGDOptions& options) {
  describe_settings(fields, options)
      .with("momentum", options.momentum)
      .with("nesterov", options.nesterov);
}

SGD::SGD(const SGDOptions& options) : Optimizer(std::make_shared<SGDBody>(options)) {}

}  // namespace plimsoll
