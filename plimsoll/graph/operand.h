// An argument of an op: a tensor, a variable or a number, with the source line that passed it.
// Operators cannot take a default std::source_location; their operands can.
#pragma once

#include <concepts>
#include <source_location>

#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"

namespace plimsoll {

struct Operand {
  Operand(const Tensor& t, std::source_location w = std::source_location::current())
      : tensor(t), where(w) {}
  Operand(const Variable& v, std::source_location w = std::source_location::current())
      : tensor(v.value()), where(w) {}
  template <class T>
  requires std::is_arithmetic_v<T> Operand(T number,
                                           std::source_location w = std::source_location::current())
      : tensor(scalar(static_cast<double>(number), DType::float32, w)), where(w), is_number(true) {}

  Tensor tensor;
  std::source_location where;
  bool is_number = false;  // takes the dtype of the other operand
};

}  // namespace plimsoll
