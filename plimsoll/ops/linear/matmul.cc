#include "plimsoll/kernels/gemm/matmul.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/linear/matmul_epilogue.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/op_settings.h"

namespace plimsoll {
namespace {

using kernels::MatmulForm;

// One operand as the product sees it, after its transposition.
struct Matrix {
  Shape leading;
  int64_t rows = 0, columns = 0;

  Matrix(const Shape& shape, bool transpose)
      : leading(shape.dims().first(static_cast<size_t>(shape.rank() - 2))),
        rows(shape[shape.rank() - (transpose ? 1 : 2)]),
        columns(shape[shape.rank() - (transpose ? 2 : 1)]) {}
};

void refuse_unless_matrices(std::span<const Spec> in) {
  for (int i = 0; i < 2; ++i) {
    const Spec& spec = in[static_cast<size_t>(i)];
    if (spec.dtype != DType::float32 || spec.shape.rank() < 2)
      throw InvalidArgument(std::string(i == 0 ? "a" : "b") +
                            " must be float32 of at least rank 2, found " + spec.to_string());
  }
}

// Rows of all products as the rows of one matrix.
Tensor as_rows(const Tensor& x) {
  const int64_t columns = x.shape().back();
  if (x.rank() == 2) return x;
  return reshape(x, {columns == 0 ? x.shape().elements(0, x.rank() - 1) : -1, columns});
}

Tensor sum_to_shape(const Tensor& gradient, const Shape& shape) {
  return gradient.shape() == shape ? gradient : sum_to(gradient, shape);
}

class Matmul final : public Op {
 public:
  explicit Matmul(const MatmulForm& form) : form_(form) {}

  const MatmulForm& form() const { return form_; }

  std::string_view name() const override { return "matmul"; }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  void describe(Attributes& to) const override {
    const auto& [form] = *this;
    const auto& [transpose_a, transpose_b, bias, relu] = form;
    to.with("transpose_a", transpose_a, false).with("transpose_b", transpose_b, false);
    to.with("bias", bias, false).with("relu", relu, false);
  }

  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_matrices(in);
    const Matrix a(in[0].shape, form_.transpose_a), b(in[1].shape, form_.transpose_b);
    if (a.columns != b.rows)
      throw InvalidArgument(
          fmt::format("a has rows of {} elements, b columns of {}; they must agree{}", a.columns,
                      b.rows, transposition()));
    Shape shape = broadcast(a.leading, b.leading, "leading axes");
    shape.push_back(a.rows);
    shape.push_back(b.columns);
    if (form_.bias && in[2] != Spec{DType::float32, {b.columns}})
      throw InvalidArgument(
          fmt::format("the bias must be float32 ({},), found {}", b.columns, in[2].to_string()));
    return {{DType::float32, shape}};
  }

  Tensors gradient(const Node& node, const Tensors& output_gradients) const override {
    const Tensor a = node.input(0), b = node.input(1);
    const bool ta = form_.transpose_a, tb = form_.transpose_b;
    const Tensor dy =
        form_.relu ? relu_gradient(node.output(0), output_gradients[0]) : output_gradients[0];
    const Tensor da = ta ? matmul(b, dy, {tb, true}) : matmul(dy, b, {false, !tb});
    Tensors answer = {sum_to_shape(da, a.shape()), gradient_of_b(a, b, dy)};
    if (form_.bias) answer.push_back(sum_to(dy, node.input(2).shape()));
    return answer;
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_matmul(request, form_);
  }

  double operations(std::span<const Spec> in, std::span<const Spec> out) const override {
    const Matrix a(in[0].shape, form_.transpose_a);
    return 2.0 * static_cast<double>(out[0].shape.elements()) * static_cast<double>(a.columns);
  }

  Arrays reference(std::span<const Array> in) const override {
    Specs specs;
    for (const Array& array : in) specs.push_back(array.spec);
    Array y(infer(specs)[0]);
    const Matrix a(in[0].spec.shape, form_.transpose_a), b(in[1].spec.shape, form_.transpose_b);
    const int64_t m = a.rows, n = b.columns, k = a.columns;
    for (int64_t i = 0; i < y.spec.shape.elements(); ++i) {
      const int64_t row = i / n % m, column = i % n, product = i / n / m;
      const int64_t a0 = matrix_of(product, y.spec.shape, a.leading) * m * k;
      const int64_t b0 = matrix_of(product, y.spec.shape, b.leading) * k * n;
      for (int64_t p = 0; p < k; ++p)
        y[i] += in[0][a0 + (form_.transpose_a ? p * m + row : row * k + p)] *
                in[1][b0 + (form_.transpose_b ? column * k + p : p * n + column)];
      if (form_.bias) y[i] += in[2][column];
      if (form_.relu) y[i] = std::max(y[i], 0.0);
    }
    return {y};
  }

  MatmulOptions options() const { return {form_.transpose_a, form_.transpose_b}; }

 private:
  // For a weight that all rows share this is one product over all of them, not one per matrix.
  Tensor gradient_of_b(const Tensor& a, const Tensor& b, const Tensor& dy) const {
    const bool ta = form_.transpose_a, tb = form_.transpose_b;
    if (b.rank() == 2 && !ta) {
      const Tensor x = as_rows(a), g = as_rows(dy);
      return tb ? matmul(g, x, {true, false}) : matmul(x, g, {true, false});
    }
    const Tensor db = tb ? matmul(dy, a, {true, ta}) : matmul(a, dy, {!ta, false});
    return sum_to_shape(db, b.shape());
  }

  // Which matrix of an operand with these leading axes the output's `product`-th one reads.
  static int64_t matrix_of(int64_t product, const Shape& out, const Shape& leading) {
    int64_t index = 0, step = 1;
    for (int i = 1; i <= leading.rank(); ++i) {
      const int64_t size = out[out.rank() - 2 - i], own = leading[leading.rank() - i];
      if (own != 1) index += product % size * step;
      step *= own;
      product /= size;
    }
    return index;
  }

  std::string transposition() const {
    if (!form_.transpose_a && !form_.transpose_b) return "";
    return std::string(" (with ") + (form_.transpose_a ? "transpose_a" : "") +
           (form_.transpose_a && form_.transpose_b ? " and " : "") +
           (form_.transpose_b ? "transpose_b" : "") + ")";
  }

  MatmulForm form_;
};

}  // namespace

Tensor matmul(const Operand& a, const Operand& b, MatmulOptions options) {
  const MatmulForm form{options.transpose_a, options.transpose_b};
  return apply(std::make_shared<Matmul>(form), {a.tensor, b.tensor}, a.where);
}

OpPtr with_epilogue(const Op& op, bool bias, bool relu) {
  const auto* product = dynamic_cast<const Matmul*>(&op);
  if (product == nullptr) return nullptr;
  MatmulForm form = product->form();
  form.bias |= bias;
  form.relu |= relu;
  return std::make_shared<Matmul>(form);
}

std::optional<MatmulOptions> matmul_options(const Op& op) {
  const auto* found = dynamic_cast<const Matmul*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->options();
}

}  // namespace plimsoll
