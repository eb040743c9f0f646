#include "plimsoll/kernels/attention/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// log(sum(exp(row))) of each row.
std::vector<double> log_sums(const Array& x) {
  const int64_t classes = x.spec.shape.back();
  std::vector<double> sums;
  for (int64_t row = 0; row < x.spec.shape.elements(); row += classes) {
    double largest = -INFINITY, sum = 0;
    for (int64_t i = row; i < row + classes; ++i) largest = std::max(largest, x[i]);
    for (int64_t i = row; i < row + classes; ++i) sum += std::exp(x[i] - largest);
    sums.push_back(largest + std::log(sum));
  }
  return sums;
}

// The shape of the losses.
Shape rows_of(const Spec& logits) {
  const Shape& shape = logits.shape;
  if (logits.dtype != DType::float32 || shape.rank() == 0 || shape.back() == 0)
    throw InvalidArgument(
        "logits must be float32 with at least one class on the last axis, found " +
        logits.to_string());
  return shape.without(shape.rank() - 1);
}

void refuse_unless_gradient(const Spec& found, const Shape& rows) {
  if (found != Spec{DType::float32, rows})
    throw InvalidArgument("expected gradients of the losses float32 " + rows.to_string() +
                          ", found " + found.to_string());
}

void refuse_unless_labels(const Spec& labels, const Shape& rows) {
  const bool is_label = labels.dtype == DType::int32 || labels.dtype == DType::int64;
  if (!is_label || labels.shape != rows)
    throw InvalidArgument("labels must be int32 or int64 " + rows.to_string() +
                          ", one per row of logits; found " + labels.to_string());
}

void refuse_unless_targets(const Spec& targets, const Spec& logits) {
  if (targets != logits)
    throw InvalidArgument("targets must be like the logits, " + logits.to_string() + ", found " +
                          targets.to_string());
}

// Inputs: logits, labels, gradient of the losses.
class SparseGradient final : public Op {
 public:
  std::string_view name() const override { return "sparse_softmax_cross_entropy_gradient"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_labels(in[1], rows_of(in[0]));
    refuse_unless_gradient(in[2], rows_of(in[0]));
    return {in[0]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_sparse_cross_entropy_gradient(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    const int64_t classes = in[0].spec.shape.back();
    const std::vector<double> sums = log_sums(in[0]);
    Array dx(in[0].spec);
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      const int64_t row = i / classes;
      const bool is_label = static_cast<int64_t>(in[1][row]) == i % classes;
      dx[i] = (std::exp(in[0][i] - sums[static_cast<size_t>(row)]) - is_label) * in[2][row];
    }
    return {dx};
  }
};

class SparseSoftmaxCrossEntropy final : public Op {
 public:
  std::string_view name() const override { return "sparse_softmax_cross_entropy"; }
  void describe(Attributes& to) const override { to.none(*this); }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.are_rows(); }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_labels(in[1], rows_of(in[0]));
    return {{DType::float32, rows_of(in[0])}};
  }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    return {apply(std::make_shared<SparseGradient>(), {node.input(0), node.input(1), dy[0]},
                  node.where),
            Tensor()};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_sparse_cross_entropy(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    const int64_t classes = in[0].spec.shape.back();
    Array losses({DType::float32, rows_of(in[0].spec)});
    losses.data = log_sums(in[0]);
    for (int64_t row = 0; row < losses.spec.shape.elements(); ++row)
      losses[row] -= in[0][row * classes + static_cast<int64_t>(in[1][row])];
    return {losses};
  }
};

// The gradient of the logits. Inputs: logits, targets, gradient of the losses.
class DenseGradient final : public Op {
 public:
  std::string_view name() const override { return "softmax_cross_entropy_gradient"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_targets(in[1], in[0]);
    refuse_unless_gradient(in[2], rows_of(in[0]));
    return {in[0]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}, {1, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_cross_entropy_gradient(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    const int64_t classes = in[0].spec.shape.back();
    const std::vector<double> sums = log_sums(in[0]);
    Array dx(in[0].spec);
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      const int64_t row = i / classes;
      double targets = 0;
      for (int64_t j = row * classes; j < (row + 1) * classes; ++j) targets += in[1][j];
      const double softmax = std::exp(in[0][i] - sums[static_cast<size_t>(row)]);
      dx[i] = (softmax * targets - in[1][i]) * in[2][row];
    }
    return {dx};
  }
};

class SoftmaxCrossEntropy final : public Op {
 public:
  std::string_view name() const override { return "softmax_cross_entropy"; }
  void describe(Attributes& to) const override { to.none(*this); }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.are_rows(); }
  Specs infer(std::span<const Spec> in) const override {
    const Shape rows = rows_of(in[0]);
    refuse_unless_targets(in[1], in[0]);
    return {{DType::float32, rows}};
  }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Tensor logits = node.input(0), targets = node.input(1);
    return {apply(std::make_shared<DenseGradient>(), {logits, targets, dy[0]}, node.where),
            negative(log_softmax(logits)) * expand_dims(dy[0], -1)};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_cross_entropy(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    const int64_t classes = in[0].spec.shape.back();
    const std::vector<double> sums = log_sums(in[0]);
    Array losses({DType::float32, rows_of(in[0].spec)});
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i)
      losses[i / classes] += in[1][i] * (sums[static_cast<size_t>(i / classes)] - in[0][i]);
    return {losses};
  }
};

}  // namespace

Tensor sparse_softmax_cross_entropy(const Operand& logits, const Operand& labels) {
  return apply(std::make_shared<SparseSoftmaxCrossEntropy>(), {logits.tensor, labels.tensor},
               logits.where);
}

Tensor softmax_cross_entropy(const Operand& logits, const Operand& targets) {
  return apply(std::make_shared<SoftmaxCrossEntropy>(), {logits.tensor, targets.tensor},
               logits.where);
}

}  // namespace plimsoll
