#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/movement/copy.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

class StopGradient final : public Op {
 public:
  std::string_view name() const override { return "stop_gradient"; }
  void describe(Attributes& to) const override { to.none(*this); }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  Specs infer(std::span<const Spec> in) const override { return {in[0]}; }
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec> out,
                       std::span<const Layout> offered) const override {
    return same_layout(in, out, offered);
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  bool is_view() const override { return true; }
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_copy(request);
  }
  Arrays reference(std::span<const Array> in) const override { return {in[0]}; }
};

}  // namespace

Tensor stop_gradient(const Operand& x) {
  return apply(std::make_shared<StopGradient>(), {x.tensor}, x.where);
}

}  // namespace plimsoll
