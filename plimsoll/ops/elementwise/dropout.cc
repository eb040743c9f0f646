
#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/random/random.h"
#include "plimsoll/ops/random/random.h"
#include "plimsoll/ops/random/random_state.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

void expect_rate(double rate) {
  if (rate >= 0 && rate < 1) return;
  throw InvalidArgument(fmt::format("the rate is {:g}, expected 0 <= rate < 1", rate));
}

class Dropout final : public Op {
 public:
  Dropout(double rate, uint64_t stream) : rate_(rate), stream_(stream) {}

  std::string_view name() const override { return "dropout"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.are_rows() && axes.out[0].shape[0] == axes.samples;
  }
  void describe(Attributes& to) const override {
    const auto& [rate, stream] = *this;
    to.with("rate", rate).with("stream", stream);
  }
  Specs infer(std::span<const Spec> in) const override {
    expect_rate(rate_);
    expect_state(in, 1);
    if (in[0].dtype != DType::float32)
      throw InvalidArgument("expected float32, found " + in[0].to_string());
    return {in[0]};
  }
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec> out,
                       std::span<const Layout> offered) const override {
    return same_layout(in, out, offered);
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    Tensors gradients(node.inputs.size());
    gradients[0] = dropout(dy[0], rate_, state_of(node, 1, stream_));
    return gradients;
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_dropout(rate_, stream_, request);
  }

  Arrays reference(std::span<const Array> in) const override {
    const kernels::Draw draw = draw_of(in.subspan(1), stream_);
    const Shape& shape = in[0].spec.shape;
    Array y(in[0].spec);
    for (int64_t i = 0; i < shape.elements(); ++i)
      if (word_of(i, shape, draw) >= kernels::dropout_threshold(rate_))
        y[i] = in[0][i] / (1 - rate_);
    return {y};
  }

 private:
  double rate_;
  uint64_t stream_;
};

}  // namespace

Tensor dropout(const Operand& x, double rate, const RandomState& state) {
  if (rate == 0) return x.tensor;
  Tensors inputs = state_inputs(state);
  inputs.insert(inputs.begin(), x.tensor);
  return apply(std::make_shared<Dropout>(rate, state.stream), inputs, x.where);
}

}  // namespace plimsoll
