#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/recurrent/simple_rnn_cell.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/recurrent/recurrent_activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {
namespace {

template <class Activation>
void simple_rows(const CellRows& rows, Activation activation) {
  for (int64_t row = 0; row < rows.rows; ++row) {
    float* const gates = rows.gates + row * rows.gates_row;
    float* const hidden = rows.hidden + row * rows.units;
    if (rows.is_masked(row)) {
      std::fill_n(gates, rows.units, 0.0f);
      continue;
    }
    for_each_unit(rows.units, [&](auto vector, int64_t u) HWY_ATTR {
      const RowVector h = activation.value(vector.load(gates + u));
      vector.store(h, gates + u);
      vector.store(h, hidden + u);
    });
  }
}

void simple(const CellRows& rows) {
  const CellActivation kind = rows.activations.activation;
  if (kind == CellActivation::tanh) return simple_rows(rows, TanhActivation());
  simple_rows(rows, AnyActivation{kind});
}

template <class Activation>
void simple_rows_gradient(const CellGradientRows& rows, Activation activation) {
  for (int64_t row = 0; row < rows.rows; ++row) {
    const float* const gates = rows.gates + row * rows.gates_row;
    float* const hidden_gradient = rows.hidden_gradient + row * rows.units;
    float* const out = rows.gate_gradients + row * rows.gate_gradients_row;
    if (rows.is_masked(row)) {
      std::fill_n(out, rows.units, 0.0f);
      continue;
    }
    for_each_unit(rows.units, [&](auto vector, int64_t u) HWY_ATTR {
      const RowVector slope = activation.slope(vector.load(gates + u));
      vector.store(hn::Mul(vector.load(hidden_gradient + u), slope), out + u);
      vector.store(hn::Zero(RowTag()), hidden_gradient + u);
    });
  }
}

void simple_gradient(const CellGradientRows& rows) {
  const CellActivation kind = rows.activations.activation;
  if (kind == CellActivation::tanh) return simple_rows_gradient(rows, TanhActivation());
  simple_rows_gradient(rows, AnyActivation{kind});
}

}  // namespace
}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(simple);
HWY_EXPORT(simple_gradient);

void simple_rnn_cell(const CellRows& rows) {
  HWY_DYNAMIC_DISPATCH(simple)(rows);
}

void simple_rnn_cell_gradient(const CellGradientRows& rows) {
  HWY_DYNAMIC_DISPATCH(simple_gradient)(rows);
}

}  // namespace plimsoll::kernels
#endif
