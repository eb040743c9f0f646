#include "plimsoll/ops/movement/copy.h"

#include "plimsoll/graph/node.h"
#include "plimsoll/kernels/movement/copy.h"

namespace plimsoll {
namespace {

class Copy final : public Op {
 public:
  std::string_view name() const override { return "copy"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override { return {in[0]}; }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  Tensors gradient(const Node&, const Tensors& dy) const override { return {dy[0]}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_copy(request);
  }
  Arrays reference(std::span<const Array> in) const override { return {in[0]}; }
};

}  // namespace

OpPtr copy_op() {
  static const OpPtr op = std::make_shared<Copy>();
  return op;
}

}  // namespace plimsoll
