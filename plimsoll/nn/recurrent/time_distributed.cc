#include "plimsoll/nn/recurrent/time_distributed.h"

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

// The shape with its first two dimensions merged, and the inverse.
Shape folded(const Shape& shape) {
  Shape one = shape.without(1);
  one[0] *= shape[1];
  return one;
}
Shape unfolded(const Shape& shape, int64_t steps) {
  Shape two = shape.with(1, steps);
  two[0] /= steps;
  return two;
}

class TimeDistributedBody final : public LayerOf<TimeDistributedOptions> {
 public:
  explicit TimeDistributedBody(const TimeDistributedOptions& options) : LayerOf(options) {
    if (options.layer.body() == nullptr)
      throw InvalidArgument("TimeDistributed: expected a layer, found none");
  }

  std::string_view class_name() const override { return "TimeDistributed"; }
  const LayerBody& unwrapped() const override { return options_.layer->unwrapped(); }
  bool supports_masking() const override { return true; }
  std::vector<Child> children() const override { return {{"layer", options_.layer.body()}}; }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    const Tensor& x = inputs[0];
    // The steps of a batch must not become samples of one batch if samples are mixed.
    if (layer().mixes_samples(context.is_training)) return step_by_step(x, context);
    CallOptions options = {.training = context.is_training};
    // A mask of whole steps says nothing about the inside of a step.
    if (context.mask.defined() && context.mask.rank() > 2)
      options.mask = reshape(context.mask, folded(context.mask.shape()));
    Tensors outputs;
    for (const Tensor& y : layer()({reshape(x, folded(x.shape()))}, options))
      outputs.push_back(reshape(y, unfolded(y.shape(), x.shape()[1])));
    return outputs;
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (shape.rank() < 3)
      refuse("expected an input of rank 3 or more, (batch, steps, …), found " + shape.to_string());
    if (shape[1] == 0) refuse("expected one step or more, found " + shape.to_string());
  }

 private:
  LayerBody& layer() const { return *options_.layer; }

  Tensors step_by_step(const Tensor& x, const CallContext& context) {
    std::vector<Tensors> steps;
    for (int64_t i = 0; i < x.shape()[1]; ++i) {
      CallOptions options = {.training = context.is_training};
      if (context.mask.defined()) options.mask = step_of(context.mask, i);
      steps.push_back(layer()({step_of(x, i)}, options));
    }
    Tensors outputs;
    for (size_t output = 0; output < steps[0].size(); ++output) {
      Tensors parts;
      for (const Tensors& step : steps) parts.push_back(expand_dims(step[output], 1));
      outputs.push_back(concatenate(parts, 1));
    }
    return outputs;
  }

  static Tensor step_of(const Tensor& x, int64_t step) {
    std::vector<int64_t> begin(static_cast<size_t>(x.rank()), 0), size(begin.size(), -1);
    begin[1] = step;
    size[1] = 1;
    return squeeze(slice(x, begin, size), 1);
  }
};

}  // namespace

void describe(Fields& fields, TimeDistributedOptions& options) {
  fields.with("layer", options.layer);
}

TimeDistributed::TimeDistributed(const TimeDistributedOptions& options)
    : Layer(make_layer<TimeDistributedBody>(options)) {}

}  // namespace plimsoll
