#include "plimsoll/nn/operations/operation_reductions.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/einsum.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/normalization/unit_normalize.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

struct Axes {
  std::vector<int> axes;  // empty: all
  bool keepdims = false;
};

Axes read_axes(OperationCall& call) {
  Axes found;
  call.settings().with("axis", found.axes).with("keepdims", found.keepdims);
  return found;
}

using Reduce = Tensor (*)(const Operand&, std::vector<int>, bool);

// Small integers are summed and compared as int32.
Tensor reduce(Reduce function, OperationCall& call, const Tensor& x) {
  const auto [axes, keepdims] = read_axes(call);
  const bool small = x.dtype() == DType::boolean || x.dtype() == DType::uint8;
  return function(small ? cast(x, DType::int32) : x, axes, keepdims);
}

// The extreme of a small integer is one itself.
Tensors extreme(Reduce function, OperationCall& call) {
  call.settings().only_null("initial");
  const Tensor x = call.tensor(0), y = reduce(function, call, x);
  return {y.dtype() == x.dtype() ? y : cast(y, x.dtype())};
}

Tensor truth(const Tensor& x) {
  return x.dtype() == DType::boolean ? x : cast(x, DType::boolean);
}

Tensors truths(Reduce function, OperationCall& call) {
  return {cast(reduce(function, call, truth(call.tensor(0))), DType::boolean)};
}

Tensors arg_extreme(const Tensor& x, OperationCall& call) {
  std::optional<int64_t> axis;
  bool keepdims = false;
  call.settings().with("axis", axis).with("keepdims", keepdims);
  if (!axis) {
    const Tensor found = argmax(reshape(x, {-1}));
    return {keepdims
                ? broadcast_to(found, Shape(std::vector<int64_t>(static_cast<size_t>(x.rank()), 1)))
                : found};
  }
  const int along = normalize_axis(static_cast<int>(*axis), x.rank(), "argmax");
  const Tensor found = argmax(x, along);
  return {keepdims ? expand_dims(found, along) : found};
}

Tensor variance(OperationCall& call) {
  const auto [axes, keepdims] = read_axes(call);
  const Tensor x = call.float_tensor(0);
  return mean(square(x - mean(x, axes, true)), axes, keepdims);
}

// "fro", a number, or "inf" where JSON says Infinity; none is 2.
double order_of(OperationCall& call, const char* key) {
  const Json* found = call.settings().find(key);
  if (found == nullptr || *found == "fro") return 2;
  if (!found->is_number()) call.settings().refuse("ord = " + found->dump() + " is not supported");
  return found->get<double>();
}

Tensor norm_of(const Tensor& x, double order, const Axes& along, OperationCall& call) {
  const auto& [axes, keepdims] = along;
  if (order == 2) return sqrt(sum(square(x), axes, keepdims));
  if (axes.size() == 2 || (axes.empty() && x.rank() == 2))
    call.settings().refuse("only the Frobenius norm of a matrix is supported");
  if (order == 1) return sum(abs(x), axes, keepdims);
  if (order == std::numeric_limits<double>::infinity()) return max(abs(x), axes, keepdims);
  if (order <= 0) call.settings().refuse(fmt::format("ord must be positive, found {}", order));
  return power(sum(power(abs(x), order), axes, keepdims), 1 / order);
}

}  // namespace

Tensors run_sum(OperationCall& call) {
  return {reduce(sum, call, call.tensor(0))};
}
Tensors run_mean(OperationCall& call) {
  return {reduce(mean, call, call.float_tensor(0))};
}
Tensors run_prod(OperationCall& call) {
  call.settings().only_null("dtype");
  return {reduce(prod, call, call.float_tensor(0))};
}
Tensors run_max(OperationCall& call) {
  return extreme(max, call);
}
Tensors run_min(OperationCall& call) {
  return extreme(min, call);
}
Tensors run_all(OperationCall& call) {
  return truths(min, call);
}
Tensors run_any(OperationCall& call) {
  return truths(max, call);
}
Tensors run_count_nonzero(OperationCall& call) {
  return {reduce(sum, call, truth(call.tensor(0)))};
}
Tensors run_argmax(OperationCall& call) {
  return arg_extreme(call.float_tensor(0), call);
}
Tensors run_argmin(OperationCall& call) {
  return arg_extreme(negative(call.float_tensor(0)), call);
}

Tensors run_var(OperationCall& call) {
  return {variance(call)};
}
Tensors run_std(OperationCall& call) {
  return {sqrt(variance(call))};
}

Tensors run_average(OperationCall& call) {
  std::vector<int> axes;
  call.settings().with("axis", axes);
  const Tensor x = call.float_tensor(0);
  if (!call.has(1)) return {mean(x, axes)};
  Tensor weights = call.float_tensor(1);
  if (weights.rank() == 1 && x.rank() > 1 && axes.size() == 1) {
    Shape shape(std::vector<int64_t>(static_cast<size_t>(x.rank()), 1));
    shape[normalize_axis(axes[0], x.rank(), "average")] = weights.shape()[0];
    weights = reshape(weights, shape);
  }
  weights = broadcast_to(weights, x.shape());
  return {sum(x * weights, axes) / sum(weights, axes)};
}

Tensors run_logsumexp(OperationCall& call) {
  const auto [axes, keepdims] = read_axes(call);
  const Tensor x = call.float_tensor(0), top = stop_gradient(max(x, axes, true));
  const Tensor total = log(sum(exp(x - top), axes, keepdims));
  return {total + (keepdims ? top : max(top, axes))};
}

Tensors run_norm(OperationCall& call) {
  const double order = order_of(call, "ord");
  return {norm_of(call.float_tensor(0), order, read_axes(call), call)};
}

Tensors run_normalize(OperationCall& call) {
  Axes along{.axes = {-1}, .keepdims = true};
  double epsilon = 1e-7;
  call.settings().with("axis", along.axes).with("epsilon", epsilon);
  const double order = order_of(call, "order");
  const Tensor x = call.float_tensor(0);
  if (order == 2) return {unit_normalize(x, along.axes, epsilon)};
  return {x / maximum(norm_of(x, order, along, call), epsilon)};
}

// Vectors are matrices of one row or column, which the result loses.
Tensors run_matmul(OperationCall& call) {
  const Tensor a = call.float_tensor(0), b = call.float_tensor(1);
  const bool row = a.rank() == 1, column = b.rank() == 1;
  Tensor y = matmul(row ? expand_dims(a, 0) : a, column ? expand_dims(b, 1) : b);
  if (column) y = squeeze(y, -1);
  if (row) y = squeeze(y, column ? -1 : -2);
  return {y};
}

Tensors run_dot(OperationCall& call) {
  const Tensor a = call.float_tensor(0), b = call.float_tensor(1);
  if (a.rank() == 0 || b.rank() == 0) return {a * b};
  if (b.rank() <= 2) return run_matmul(call);
  call.settings().refuse("is only known for a second argument of rank 2 or less, found " +
                         b.shape().to_string());
}

Tensors run_einsum(OperationCall& call) {
  std::string subscripts;
  call.settings().with("subscripts", subscripts);
  Tensors operands;
  for (int i = 0; i < call.argument_count(); ++i)
    if (call.has(i)) operands.push_back(call.float_tensor(i));
  return {einsum(subscripts, operands)};
}

}  // namespace plimsoll
