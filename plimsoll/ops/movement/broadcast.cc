#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/movement/movement.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// True if `from` broadcasts to `to` by NumPy's rule.
bool broadcasts(const Shape& from, const Shape& to) {
  const int more = to.rank() - from.rank();
  for (int i = 0; i < from.rank(); ++i)
    if (more < 0 || (from[i] != 1 && from[i] != to[i + more])) return false;
  return true;
}

class BroadcastTo final : public Op {
 public:
  explicit BroadcastTo(const Shape& shape) : shape_(shape) {}

  std::string_view name() const override { return "broadcast_to"; }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  void describe(Attributes& to) const override {
    const auto& [shape] = *this;
    to.with("shape", shape);
  }

  Specs infer(std::span<const Spec> in) const override {
    if (!broadcasts(in[0].shape, shape_))
      throw InvalidArgument(in[0].shape.to_string() + " does not broadcast to " +
                            shape_.to_string());
    return {{in[0].dtype, shape_}};
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    return {sum_to(dy[0], node.input(0).shape())};
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_broadcast_to(request);
  }

  Arrays reference(std::span<const Array> in) const override {
    Array y({in[0].spec.dtype, shape_});
    const Shape& from = in[0].spec.shape;
    for (int64_t i = 0; i < shape_.elements(); ++i) {
      int64_t source = 0, rest = i;
      for (int axis = shape_.rank() - 1; axis >= 0; rest /= shape_[axis--]) {
        const int own = axis - (shape_.rank() - from.rank());
        if (own >= 0 && from[own] != 1)
          source += rest % shape_[axis] * from.elements(own + 1, from.rank());
      }
      y[i] = in[0][source];
    }
    return {y};
  }

 private:
  Shape shape_;
};

}  // namespace

Tensor broadcast_to(const Operand& x, const Shape& shape) {
  if (x.tensor.shape() == shape) return x.tensor;
  return apply(std::make_shared<BroadcastTo>(shape), {x.tensor}, x.where);
}

Tensor sum_to(const Operand& x, const Shape& shape) {
  const Shape& from = x.tensor.shape();
  if (from == shape) return x.tensor;
  if (!broadcasts(shape, from))
    throw InvalidArgument("sum_to: " + shape.to_string() + " does not broadcast to " +
                          from.to_string());
  const int more = from.rank() - shape.rank();
  std::vector<int> axes;
  for (int i = 0; i < from.rank(); ++i)
    if (i < more || (shape[i - more] == 1 && from[i] != 1)) axes.push_back(i);
  const bool leading_only = static_cast<int>(axes.size()) == more;
  const Tensor total = sum(Operand(x.tensor, x.where), axes, !leading_only);
  return leading_only || more == 0 ? total : reshape(Operand(total, x.where), shape);
}

}  // namespace plimsoll
