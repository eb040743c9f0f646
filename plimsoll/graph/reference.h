// A tensor in plain float64, row-major: what the reference of an op computes with. Tests alone use
// it: gradients are checked there by finite differences, and float32 kernels against it.
#pragma once

#include <vector>

#include "plimsoll/tensor/spec.h"

namespace plimsoll {

struct Array {
  Spec spec;
  std::vector<double> data;

  explicit Array(Spec s)
      : spec(std::move(s)), data(static_cast<size_t>(spec.shape.elements()), 0.0) {}
  double operator[](int64_t i) const { return data[static_cast<size_t>(i)]; }
  double& operator[](int64_t i) { return data[static_cast<size_t>(i)]; }
};

using Arrays = std::vector<Array>;

}  // namespace plimsoll
