#include "plimsoll/nn/operations/operation_arithmetic.h"

#include <cmath>
#include <numbers>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

using Unary = Tensor (*)(const Operand&);
using Binary = Tensor (*)(const Operand&, const Operand&);

// Booleans count as the integers 0 and 1.
Tensor as_number(const Tensor& x) {
  return x.dtype() == DType::boolean ? cast(x, DType::int32) : x;
}

Tensors numbers(Unary function, OperationCall& call) {
  return {function(as_number(call.tensor(0)))};
}

Tensors numbers(Binary function, OperationCall& call) {
  const Tensors x = call.promoted({0, 1});
  return {function(as_number(x[0]), as_number(x[1]))};
}

Tensors floats(Binary function, OperationCall& call) {
  return {function(call.float_tensor(0), call.float_tensor(1))};
}

Tensors truths(Binary function, OperationCall& call) {
  return {
      function(to_dtype(call.tensor(0), DType::boolean), to_dtype(call.tensor(1), DType::boolean))};
}

// Functions of floats that return an integer dtype; they compute in floats.
Tensor through_floats(const Tensor& x, DType dtype) {
  return to_dtype(x, dtype == DType::boolean ? DType::int32 : dtype);
}

Tensors floor_of_quotient(OperationCall& call, bool rest) {
  const Tensors x = call.promoted({0, 1});
  const Tensor a = as_float(x[0]), b = as_float(x[1]), whole = floor(a / b);
  return {through_floats(rest ? a - whole * b : whole, x[0].dtype())};
}

}  // namespace

Tensors run_absolute(OperationCall& call) {
  return numbers(abs, call);
}
Tensors run_negative(OperationCall& call) {
  return numbers(negative, call);
}
Tensors run_sign(OperationCall& call) {
  return numbers(sign, call);
}
Tensors run_square(OperationCall& call) {
  return numbers(square, call);
}
Tensors run_add(OperationCall& call) {
  return numbers(add, call);
}
Tensors run_subtract(OperationCall& call) {
  return numbers(subtract, call);
}
Tensors run_multiply(OperationCall& call) {
  return numbers(multiply, call);
}
Tensors run_outer(OperationCall& call) {
  return numbers(
      [](const Operand& a, const Operand& b) {
        return reshape(a, {-1, 1}) * reshape(b, {1, -1});
      },
      call);
}
Tensors run_maximum(OperationCall& call) {
  return numbers(maximum, call);
}
Tensors run_minimum(OperationCall& call) {
  return numbers(minimum, call);
}
Tensors run_equal(OperationCall& call) {
  return numbers(equal, call);
}
Tensors run_not_equal(OperationCall& call) {
  return numbers(not_equal, call);
}
Tensors run_greater(OperationCall& call) {
  return numbers(greater, call);
}
Tensors run_greater_equal(OperationCall& call) {
  return numbers(greater_equal, call);
}
Tensors run_less(OperationCall& call) {
  return numbers(less, call);
}
Tensors run_less_equal(OperationCall& call) {
  return numbers(less_equal, call);
}

Tensors run_divide(OperationCall& call) {
  return floats(divide, call);
}

Tensors run_divide_no_nan(OperationCall& call) {
  const Tensor a = call.float_tensor(0), b = call.float_tensor(1), zero = equal(b, 0);
  return {select(zero, 0, a / select(zero, 1, b))};
}

Tensors run_floor_divide(OperationCall& call) {
  return floor_of_quotient(call, false);
}

Tensors run_mod(OperationCall& call) {
  return floor_of_quotient(call, true);
}

// Powers with small integer exponents are products: exact, and with a gradient where x is negative.
Tensors run_power(OperationCall& call) {
  const Tensors x = call.promoted({0, 1});
  const Tensor base = as_float(x[0]);
  if (!call.argument_is_number(1))
    return {through_floats(power(base, as_float(x[1])), x[0].dtype())};
  const double exponent = call.number(1);
  if (exponent == 2) return {through_floats(square(base), x[0].dtype())};
  if (exponent == 3) return {through_floats(square(base) * base, x[0].dtype())};
  if (exponent == 0.5) return {sqrt(base)};
  if (exponent == -1) return {reciprocal(base)};
  return {through_floats(power(base, exponent), x[0].dtype())};
}

Tensors run_log2(OperationCall& call) {
  return {log(call.float_tensor(0)) * std::numbers::log2e};
}

Tensors run_log10(OperationCall& call) {
  return {log(call.float_tensor(0)) * std::numbers::log10e};
}

Tensors run_logaddexp(OperationCall& call) {
  const Tensor a = call.float_tensor(0), b = call.float_tensor(1);
  return {maximum(a, b) + softplus(negative(abs(a - b)))};
}

Tensors run_logical_and(OperationCall& call) {
  return truths(logical_and, call);
}
Tensors run_logical_or(OperationCall& call) {
  return truths(logical_or, call);
}
Tensors run_logical_xor(OperationCall& call) {
  return truths(
      [](const Operand& a, const Operand& b) {
        return logical_and(logical_or(a, b), logical_not(logical_and(a, b)));
      },
      call);
}
Tensors run_logical_not(OperationCall& call) {
  return {logical_not(to_dtype(call.tensor(0), DType::boolean))};
}

Tensors run_round(OperationCall& call) {
  int decimals = 0;
  call.settings().with("decimals", decimals);
  const double scale = std::pow(10.0, decimals);
  const Tensor x = call.float_tensor(0);
  return {decimals == 0 ? round(x) : round(x * scale) / scale};
}

Tensors run_clip(OperationCall& call) {
  double low = 0, high = 0;
  call.settings().with("x_min", low).with("x_max", high);
  const Tensor x = as_number(call.tensor(0));
  if (x.dtype() == DType::float32) return {clip(x, low, high)};
  return {maximum(minimum(x, high), low)};
}

Tensors run_cast(OperationCall& call) {
  std::string name;
  call.settings().with("dtype", name);
  return {to_dtype(call.tensor(0), dtype_named(name, call.settings()))};
}

Tensors run_stop_gradient(OperationCall& call) {
  return {stop_gradient(call.tensor(0))};
}

Tensors run_where(OperationCall& call) {
  if (!call.has(1) || !call.has(2))
    call.settings().refuse(
        "needs both values to choose from (without them it would return indices, whose number is "
        "not known before a step runs)");
  const Tensors x = call.promoted({1, 2});
  const Tensor condition = to_dtype(call.tensor(0), DType::boolean);
  const bool truth = x[0].dtype() == DType::boolean;
  const Tensor chosen = select(condition, as_number(x[0]), as_number(x[1]));
  return {truth ? cast(chosen, DType::boolean) : chosen};
}

}  // namespace plimsoll
