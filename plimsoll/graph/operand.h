// An argument of an op: a tensor, a variable or a number, with the source line that passed it.
// Operators cannot take a default Place; their operands can.
#pragma once

#include <concepts>

#include "plimsoll/graph/place.h"
#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"

namespace plimsoll {

struct Operand {
  Operand(const Tensor& t, Place w = Place::here()) : tensor(t), where(w) {}
  Operand(const Variable& v, Place w = Place::here()) : tensor(v.value()), where(w) {}
  template <class T>
  requires std::is_arithmetic_v<T> Operand(T number, Place w = Place::here())
      : tensor(scalar(static_cast<double>(number), DType::float32, w)), where(w), is_number(true) {}

  Tensor tensor;
  Place where;
  bool is_number = false;  // takes the dtype of the other operand
};

}  // namespace plimsoll
