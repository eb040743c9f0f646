#include "python/bindings/arithmetic.h"

#include <cmath>

namespace plimsoll::python {
namespace {

// A Python float next to integers makes both float32.
Operand next_to(const Operand& number, nb::handle object, Operand& other) {
  const bool is_fraction = nb::isinstance<nb::float_>(object);
  if (is_fraction && other.tensor.dtype() != DType::float32)
    other = Operand(to_dtype(other.tensor, DType::float32), other.where);
  return number;
}

}  // namespace

std::pair<Operand, Operand> matched(nb::handle a, nb::handle b) {
  const Place where = caller();
  Operand left = to_operand(a, where), right = to_operand(b, where);
  if (left.is_number && right.is_number)
    return {Operand(to_tensor(a), where), Operand(to_tensor(b), where)};
  if (left.is_number) return {next_to(left, a, right), right};
  if (right.is_number) return {left, next_to(right, b, left)};
  if (left.tensor.dtype() != right.tensor.dtype()) {
    const Tensors both = promoted({left.tensor, right.tensor});
    return {Operand(both[0], where), Operand(both[1], where)};
  }
  return {left, right};
}

Tensor as_float(nb::handle x) {
  const Tensor tensor = to_tensor(x);
  return tensor.dtype() == DType::float32 ? tensor : to_dtype(tensor, DType::float32);
}

}  // namespace plimsoll::python
