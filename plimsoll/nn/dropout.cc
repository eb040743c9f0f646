#include "plimsoll/nn/dropout.h"

#include <span>

#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/make_layer.h"
#include "plimsoll/ops/elementwise.h"

namespace plimsoll {
namespace {

class DropoutBody final : public LayerBody {
 public:
  explicit DropoutBody(const DropoutOptions& options) : rate_(options.rate) {
    if (!options.seed) return;
    seed_ = Variable("seed", {DType::int64, {}}, false);
    seed_.set_bytes(std::as_bytes(std::span(&*options.seed, 1)));
  }

  void validate() const {
    if (!(rate_ >= 0 && rate_ <= 1))
      refuse("rate must be between 0 and 1, found " + std::to_string(rate_));
  }
  std::string_view class_name() const override { return "Dropout"; }

  Tensors call(const Tensors& inputs, const CallOptions& options) override {
    if (!options.training || rate_ == 0) return {inputs[0]};
    const Tensor x = as_float(inputs[0]);
    if (rate_ == 1) return {x * 0.0};
    Clock& clock = training_clock();
    return {dropout(x, rate_, seed_.defined() ? clock.draw(seed_) : clock.draw())};
  }

 private:
  double rate_;
  Variable seed_;  // undefined: the clock's
};

}  // namespace

Dropout::Dropout(const DropoutOptions& options) : Layer(make_layer<DropoutBody>(options)) {}

}  // namespace plimsoll
