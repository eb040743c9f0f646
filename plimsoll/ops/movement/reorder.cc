#include "plimsoll/ops/movement/reorder.h"

#include <fmt/format.h>

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/kernels/movement/copy.h"
#include "plimsoll/kernels/movement/reorder.h"

namespace plimsoll {
namespace {

void refuse_unless_divisible(const Spec& x, Layout layout) {
  if (layout.is_plain()) return;
  if (x.shape.rank() < 2 || x.shape.back() % layout.channel_block != 0)
    throw InvalidArgument(fmt::format("expected channels in blocks of {}, found {}",
                                      layout.channel_block, x.to_string()));
}

class Reorder final : public Op {
 public:
  Reorder(Layout from, Layout to) : from_(from), to_(to) {}

  std::string_view name() const override { return "reorder"; }
  void describe(Attributes& to) const override {
    const auto& [from, to_layout] = *this;
    to.with("from", from).with("to", to_layout);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_divisible(in[0], from_);
    refuse_unless_divisible(in[0], to_);
    return {in[0]};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout>) const override {
    return {{from_}, {to_}};
  }
  Tensors gradient(const Node&, const Tensors& dy) const override { return {dy[0]}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return from_ == to_ ? kernels::make_copy(request) : kernels::make_reorder(request);
  }
  Arrays reference(std::span<const Array> in) const override { return {in[0]}; }

 private:
  Layout from_, to_;
};

}  // namespace

OpPtr reorder_op(Layout from, Layout to) {
  return std::make_shared<Reorder>(from, to);
}

}  // namespace plimsoll
