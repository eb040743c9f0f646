#include "plimsoll/nn/images/rescaling.h"

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

Operand operand(const NumberOrList& numbers) {
  if (!numbers.is_list) return numbers.values[0];
  const std::vector<float> values(numbers.values.begin(), numbers.values.end());
  return constant(values, {static_cast<int64_t>(values.size())});
}

class RescalingBody final : public LayerOf<RescalingOptions> {
 public:
  using LayerOf::LayerOf;
  std::string_view class_name() const override { return "Rescaling"; }
  RangeEffect range_effect() const override {
    if (options_.scale.is_list || options_.offset.is_list) return {};
    return RangeEffect::scales(options_.scale.values[0], options_.offset.values[0]);
  }
  bool supports_masking() const override { return true; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor scaled = as_float(inputs[0]) * operand(options_.scale);
    return {options_.offset == NumberOrList(0) ? scaled : scaled + operand(options_.offset)};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    for (const NumberOrList* numbers : {&options_.scale, &options_.offset}) {
      const auto count = static_cast<int64_t>(numbers->values.size());
      if (numbers->is_list && count != 1 && (shape.rank() == 0 || shape.back() != count))
        refuse(fmt::format("scale or offset has {} numbers, one per channel, but the input is {}",
                           count, shape.to_string()));
    }
  }
};

}  // namespace

void describe(Fields& fields, RescalingOptions& options) {
  tell(fields, "scale", options.scale);
  tell(fields, "offset", options.offset);
}

Rescaling::Rescaling(const RescalingOptions& options) : Layer(make_layer<RescalingBody>(options)) {}

}  // namespace plimsoll
