#include "plimsoll/nn/rmsprop.h"

namespace plimsoll {
namespace {

class RMSpropBody final : public OptimizerBody {
 public:
  explicit RMSpropBody(const RMSpropOptions& options)
      : OptimizerBody("RMSprop", {.learning_rate = options.learning_rate,
                                  .weight_decay = options.weight_decay,
                                  .clipnorm = options.clipnorm,
                                  .clipvalue = options.clipvalue,
                                  .global_clipnorm = options.global_clipnorm,
                                  .name = options.name}),
        options_(options) {}
  std::string_view class_name() const override { return "RMSprop"; }

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

 private:
  RMSpropOptions options_;
};

}  // namespace

RMSprop::RMSprop(const RMSpropOptions& options)
    : Optimizer(std::make_shared<RMSpropBody>(options)) {}

}  // namespace plimsoll
