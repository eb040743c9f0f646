// Ops that compute each element by itself. Binary ops broadcast by NumPy's rule; a number takes the
// dtype of the other operand; otherwise dtypes must agree. Float functions want float32.
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

Tensor negative(const Operand& x);
Tensor abs(const Operand& x);
Tensor sign(const Operand& x);
Tensor square(const Operand& x);
Tensor sqrt(const Operand& x);
Tensor rsqrt(const Operand& x);
Tensor reciprocal(const Operand& x);
Tensor exp(const Operand& x);
Tensor expm1(const Operand& x);  // exp(x) - 1, exact near 0
Tensor log(const Operand& x);
Tensor log1p(const Operand& x);
Tensor sin(const Operand& x);
Tensor cos(const Operand& x);
Tensor tanh(const Operand& x);
Tensor sigmoid(const Operand& x);
Tensor softplus(const Operand& x);
Tensor erf(const Operand& x);
Tensor relu(const Operand& x);
Tensor floor(const Operand& x);
Tensor ceil(const Operand& x);
Tensor round(const Operand& x);  // half to even, as NumPy
Tensor logical_not(const Operand& x);

Tensor add(const Operand& a, const Operand& b);
Tensor subtract(const Operand& a, const Operand& b);
Tensor multiply(const Operand& a, const Operand& b);
Tensor divide(const Operand& a, const Operand& b);
Tensor power(const Operand& a, const Operand& b);
Tensor maximum(const Operand& a, const Operand& b);  // the gradient of a tie goes half to each
Tensor minimum(const Operand& a, const Operand& b);

// Comparisons and logic return bool tensors.
Tensor equal(const Operand& a, const Operand& b);
Tensor not_equal(const Operand& a, const Operand& b);
Tensor less(const Operand& a, const Operand& b);
Tensor less_equal(const Operand& a, const Operand& b);
Tensor greater(const Operand& a, const Operand& b);
Tensor greater_equal(const Operand& a, const Operand& b);
Tensor logical_and(const Operand& a, const Operand& b);
Tensor logical_or(const Operand& a, const Operand& b);

// condition ? a : b, all three broadcast.
Tensor select(const Operand& condition, const Operand& a, const Operand& b);
// The gradient is 1 where low <= x <= high, as TensorFlow.
Tensor clip(const Operand& x, double low, double high);
// Converts to another dtype: floats truncate towards zero; anything but 0 is true.
Tensor cast(const Operand& x, DType dtype);
// The value, cut off from its history: no gradient flows.
Tensor stop_gradient(const Operand& x);

// y > 0 ? dy : 0, the gradient of relu from its output.
Tensor relu_gradient(const Operand& y, const Operand& dy);

inline Tensor operator+(const Operand& a, const Operand& b) {
  return add(a, b);
}
inline Tensor operator-(const Operand& a, const Operand& b) {
  return subtract(a, b);
}
inline Tensor operator*(const Operand& a, const Operand& b) {
  return multiply(a, b);
}
inline Tensor operator/(const Operand& a, const Operand& b) {
  return divide(a, b);
}
inline Tensor operator-(const Operand& x) {
  return negative(x);
}

}  // namespace plimsoll
