#include "plimsoll/nn/sgd.h"

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

class SGDBody final : public OptimizerBody {
 public:
  explicit SGDBody(const SGDOptions& options)
      : OptimizerBody("SGD", {.learning_rate = options.learning_rate,
                              .weight_decay = options.weight_decay,
                              .clipnorm = options.clipnorm,
                              .clipvalue = options.clipvalue,
                              .global_clipnorm = options.global_clipnorm,
                              .name = options.name}),
        momentum_(options.momentum),
        nesterov_(options.nesterov) {
    if (!(momentum_ >= 0 && momentum_ <= 1))
      throw InvalidArgument(name() + ": momentum must be between 0 and 1, found " +
                            std::to_string(momentum_));
  }
  std::string_view class_name() const override { return "SGD"; }

 protected:
  std::vector<std::string> slot_names() const override {
    return momentum_ == 0 ? std::vector<std::string>{} : std::vector<std::string>{"momentum"};
  }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return sgd_update(weight, gradient, slots, scalars, momentum_, nesterov_);
  }

 private:
  double momentum_;
  bool nesterov_;
};

}  // namespace

SGD::SGD(const SGDOptions& options) : Optimizer(std::make_shared<SGDBody>(options)) {}

}  // namespace plimsoll
