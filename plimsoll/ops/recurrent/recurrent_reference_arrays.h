// What the references of recurrent ops share: sizes, activations and reading tensors that may be
// absent.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "plimsoll/graph/reference.h"
#include "plimsoll/kernels/recurrent/recurrent_form.h"

namespace plimsoll {

using Row = std::vector<double>;

inline double activate(kernels::CellActivation kind, double x) {
  switch (kind) {
    case kernels::CellActivation::linear:
      return x;
    case kernels::CellActivation::relu:
      return std::max(x, 0.0);
    case kernels::CellActivation::hard_sigmoid:
      return std::clamp(x + 3, 0.0, 6.0) / 6;
    case kernels::CellActivation::sigmoid:
      return 1 / (1 + std::exp(-x));
    case kernels::CellActivation::tanh:
      break;
  }
  return std::tanh(x);
}

inline double slope(kernels::CellActivation kind, double y) {
  switch (kind) {
    case kernels::CellActivation::linear:
      return 1;
    case kernels::CellActivation::relu:
      return y > 0 ? 1 : 0;
    case kernels::CellActivation::hard_sigmoid:
      return y > 0 && y < 1 ? 1.0 / 6 : 0;
    case kernels::CellActivation::sigmoid:
      return y * (1 - y);
    case kernels::CellActivation::tanh:
      break;
  }
  return 1 - y * y;
}

struct ReferenceSequence {
  const kernels::RecurrentForm& form;
  std::span<const Array> in;
  int64_t batch, steps, features, units;

  ReferenceSequence(const kernels::RecurrentForm& f, std::span<const Array> inputs)
      : form(f),
        in(inputs),
        batch(in[0].spec.shape[0]),
        steps(in[0].spec.shape[1]),
        features(in[0].spec.shape[2]),
        units(in[2].spec.shape[0]) {}

  int64_t gate_columns() const { return form.gates() * units; }
  int64_t time(int64_t step) const { return form.go_backwards ? steps - 1 - step : step; }

  // Element i of `input`, or `absent`.
  double at(int input, int64_t i, double absent = 0) const {
    return input < 0 ? absent : in[static_cast<size_t>(input)][i];
  }
  bool valid(int mask, int64_t sample, int64_t step) const {
    return at(mask, sample * steps + time(step), 1) != 0;
  }
  double x(int64_t sample, int64_t step, int64_t feature) const {
    return in[0][(sample * steps + time(step)) * features + feature];
  }
  // The factor on element k of x or h on its way to column j of the gates.
  double factor(int input, int sets, int64_t width, int64_t sample, int64_t k, int64_t j) const {
    const int64_t set = sets > 1 ? j / units : 0;
    return at(input, (sample * sets + set) * width + k, 1);
  }
};

}  // namespace plimsoll
