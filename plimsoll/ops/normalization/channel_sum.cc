#include "plimsoll/ops/normalization/channel_sum.h"

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/normalization/channel_sums.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class ChannelSum final : public Op {
 public:
  std::string_view name() const override { return "channel_sum"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0].dtype != DType::float32 || in[0].shape.rank() < 1)
      throw InvalidArgument("x must be float32 with an axis of channels, found " +
                            in[0].to_string());
    return {{DType::float32, {in[0].shape.back()}}};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0]}, {Layout::plain()}};
  }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    return {broadcast_to(dy[0], node.input(0).shape())};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_channel_sum(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array sums({DType::float32, {in[0].spec.shape.back()}});
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i)
      sums[i % in[0].spec.shape.back()] += in[0][i];
    return {sums};
  }
};

}  // namespace

Tensor channel_sum(const Operand& x) {
  return apply(std::make_shared<ChannelSum>(), {x.tensor}, x.where);
}

}  // namespace plimsoll
