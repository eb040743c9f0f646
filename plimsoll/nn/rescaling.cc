#include "plimsoll/nn/rescaling.h"

#include "plimsoll/nn/make_layer.h"
#include "plimsoll/ops/elementwise.h"

namespace plimsoll {
namespace {

class RescalingBody final : public LayerBody {
 public:
  explicit RescalingBody(const RescalingOptions& options)
      : scale_(options.scale), offset_(options.offset) {}
  std::string_view class_name() const override { return "Rescaling"; }
  Tensors call(const Tensors& inputs, const CallOptions&) override {
    const Tensor scaled = as_float(inputs[0]) * scale_;
    return {offset_ == 0 ? scaled : scaled + offset_};
  }

 private:
  double scale_, offset_;
};

}  // namespace

Rescaling::Rescaling(const RescalingOptions& options) : Layer(make_layer<RescalingBody>(options)) {}

}  // namespace plimsoll
