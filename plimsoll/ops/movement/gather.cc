#include "plimsoll/kernels/movement/gather.h"

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

void refuse_unless_indices(const Spec& indices) {
  if (indices.dtype != DType::int32 && indices.dtype != DType::int64)
    throw InvalidArgument("indices must be int32 or int64, found " + indices.to_string());
}

class Gather final : public Op {
 public:
  std::string_view name() const override { return "gather"; }
  void describe(Attributes& to) const override { to.none(*this); }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.in_axes[0] < 0; }

  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_indices(in[1]);
    if (in[0].shape.rank() == 0)
      throw InvalidArgument("the table must have an axis of rows, found " + in[0].to_string());
    Shape shape = in[1].shape;
    for (int i = 1; i < in[0].shape.rank(); ++i) shape.push_back(in[0].shape[i]);
    return {{in[0].dtype, shape}};
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    return {scatter_add(dy[0], node.input(1), node.input(0).shape()[0]), Tensor()};
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_gather(request);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Spec specs[] = {in[0].spec, in[1].spec};
    Array y(infer(specs)[0]);
    const int64_t width = in[0].spec.shape.elements(1, in[0].spec.shape.rank());
    for (int64_t i = 0; i < y.spec.shape.elements(); ++i)
      y[i] = in[0][static_cast<int64_t>(in[1][i / width]) * width + i % width];
    return {y};
  }
};

class ScatterAdd final : public Op {
 public:
  explicit ScatterAdd(int64_t rows) : rows_(rows) {}

  std::string_view name() const override { return "scatter_add"; }
  void describe(Attributes& to) const override {
    const auto& [rows] = *this;
    to.with("rows", rows);
  }

  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_indices(in[1]);
    const Shape &updates = in[0].shape, &indices = in[1].shape;
    bool agrees = in[0].dtype == DType::float32 && updates.rank() >= indices.rank();
    for (int i = 0; agrees && i < indices.rank(); ++i) agrees = updates[i] == indices[i];
    if (!agrees)
      throw InvalidArgument("updates must be float32 with the shape of the indices, " +
                            indices.to_string() + ", first; found " + in[0].to_string());
    Shape shape{rows_};
    for (int i = indices.rank(); i < updates.rank(); ++i) shape.push_back(updates[i]);
    return {{DType::float32, shape}};
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    return {gather(dy[0], node.input(1)), Tensor()};
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_scatter_add(request);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Spec specs[] = {in[0].spec, in[1].spec};
    Array table(infer(specs)[0]);
    const int64_t width = table.spec.shape.elements(1, table.spec.shape.rank());
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i)
      table[static_cast<int64_t>(in[1][i / width]) * width + i % width] += in[0][i];
    return {table};
  }

 private:
  int64_t rows_;
};

}  // namespace

Tensor gather(const Operand& x, const Operand& indices) {
  return apply(std::make_shared<Gather>(), {x.tensor, indices.tensor}, x.where);
}

Tensor scatter_add(const Operand& updates, const Operand& indices, int64_t rows) {
  return apply(std::make_shared<ScatterAdd>(rows), {updates.tensor, indices.tensor}, updates.where);
}

}  // namespace plimsoll
