#include "plimsoll/nn/adam.h"

#include "plimsoll/ops/elementwise.h"

namespace plimsoll {
namespace {

class AdamBody final : public OptimizerBody {
 public:
  AdamBody(std::string_view class_name, const AdamOptions& options)
      : OptimizerBody(class_name, {.learning_rate = options.learning_rate,
                                   .weight_decay = options.weight_decay,
                                   .clipnorm = options.clipnorm,
                                   .clipvalue = options.clipvalue,
                                   .global_clipnorm = options.global_clipnorm,
                                   .name = options.name}),
        class_name_(class_name),
        options_(options) {}
  std::string_view class_name() const override { return class_name_; }

 protected:
  std::vector<std::string> slot_names() const override {
    std::vector<std::string> names = {"momentum", "velocity"};
    if (options_.amsgrad) names.push_back("velocity_hat");
    return names;
  }
  size_t interleaved_slots() const override { return 2; }

  // Makes up for the means having started at 0.
  Tensor step_size() const override {
    const Tensor step = cast(iterations().value() + 1, DType::float32);
    const Tensor mean_share = 1 - power(scalar(options_.beta_1), step);
    const Tensor square_share = 1 - power(scalar(options_.beta_2), step);
    return learning_rate().value() * sqrt(square_share) / mean_share;
  }
  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return adam_update(weight, gradient, slots, scalars, options_.beta_1, options_.beta_2,
                       options_.epsilon, options_.amsgrad);
  }

 private:
  std::string_view class_name_;
  AdamOptions options_;
};

}  // namespace

Adam::Adam(const AdamOptions& options) : Optimizer(std::make_shared<AdamBody>("Adam", options)) {}

AdamW::AdamW(const AdamWOptions& options)
    : Optimizer(std::make_shared<AdamBody>("AdamW",
                                           AdamOptions{.learning_rate = options.learning_rate,
                                                       .beta_1 = options.beta_1,
                                                       .beta_2 = options.beta_2,
                                                       .epsilon = options.epsilon,
                                                       .amsgrad = options.amsgrad,
                                                       .weight_decay = options.weight_decay,
                                                       .clipnorm = options.clipnorm,
                                                       .clipvalue = options.clipvalue,
                                                       .global_clipnorm = options.global_clipnorm,
                                                       .name = options.name})) {}

}  // namespace plimsoll
