// Elementwise ops on whatever stands for a tensor in Python.
#pragma once

#include "plimsoll/nn/operations/operation_call.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

using Unary = Tensor (*)(const Operand&);
using Binary = Tensor (*)(const Operand&, const Operand&);

// Two operands of one dtype: numbers give way to tensors, unless a fraction meets integers; of two
// tensors the smaller kind is cast to the larger.
std::pair<Operand, Operand> matched(nb::handle a, nb::handle b);

// An integer or boolean as float32, for functions that have only fractions as results.
Tensor as_float(nb::handle x);

inline Tensor binary(Binary op, nb::handle a, nb::handle b) {
  const auto [left, right] = matched(a, b);
  return op(left, right);
}

}  // namespace plimsoll::python
