#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/recurrent/lstm_cell.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/recurrent/recurrent_activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {
namespace {

template <class Activation, class Recurrent>
void lstm_row(const CellRows& rows, int64_t row, Activation activation, Recurrent recurrent) {
  const int64_t units = rows.units;
  float* const gates = rows.gates + row * rows.gates_row;
  float* const cells = rows.cells + row * units;
  float* const hidden = rows.hidden + row * units;
  const float* const before = rows.cells_before ? rows.cells_before + row * units : nullptr;
  for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
    const RowVector i = recurrent.value(vector.load(gates + u));
    const RowVector f = recurrent.value(vector.load(gates + units + u));
    const RowVector g = activation.value(vector.load(gates + 2 * units + u));
    const RowVector o = recurrent.value(vector.load(gates + 3 * units + u));
    const RowVector kept = before ? hn::Mul(f, vector.load(before + u)) : hn::Zero(RowTag());
    const RowVector c = hn::MulAdd(i, g, kept);
    vector.store(i, gates + u);
    vector.store(f, gates + units + u);
    vector.store(g, gates + 2 * units + u);
    vector.store(o, gates + 3 * units + u);
    vector.store(c, cells + u);
  });
  // A loop of its own: with the chain from c on, too few vectors would be under way at a time.
  for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
    const RowVector squashed = activation.value(vector.load(cells + u));
    vector.store(hn::Mul(vector.load(gates + 3 * units + u), squashed), hidden + u);
  });
}

void keep_row(const CellRows& rows, int64_t row) {
  float* const cells = rows.cells + row * rows.units;
  std::fill_n(rows.gates + row * rows.gates_row, 4 * rows.units, 0.0f);
  if (rows.cells_before == nullptr)
    std::fill_n(cells, rows.units, 0.0f);
  else if (rows.cells_before != rows.cells)
    std::copy_n(rows.cells_before + row * rows.units, rows.units, cells);
}

template <class Activation, class Recurrent>
void lstm_rows(const CellRows& rows, Activation activation, Recurrent recurrent) {
  for (int64_t row = 0; row < rows.rows; ++row) {
    if (rows.is_masked(row))
      keep_row(rows, row);
    else
      lstm_row(rows, row, activation, recurrent);
  }
}

void lstm(const CellRows& rows) {
  const CellActivations& kinds = rows.activations;
  if (kinds.are_usual()) return lstm_rows(rows, TanhActivation(), SigmoidActivation());
  lstm_rows(rows, AnyActivation{kinds.activation}, AnyActivation{kinds.recurrent});
}

template <class Activation, class Recurrent>
void lstm_row_gradient(const CellGradientRows& rows, int64_t row, Activation activation,
                       Recurrent recurrent) {
  const int64_t units = rows.units;
  const float* const gates = rows.gates + row * rows.gates_row;
  const float* const cells = rows.cells + row * units;
  const float* const before = rows.cells_before ? rows.cells_before + row * units : nullptr;
  float* const hidden_gradient = rows.hidden_gradient + row * units;
  float* const cell_gradient = rows.cell_gradient + row * units;
  float* const out = rows.gate_gradients + row * rows.gate_gradients_row;
  for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
    const RowVector i = vector.load(gates + u), f = vector.load(gates + units + u);
    const RowVector g = vector.load(gates + 2 * units + u);
    const RowVector o = vector.load(gates + 3 * units + u);
    const RowVector squashed = activation.value(vector.load(cells + u));
    const RowVector dh = vector.load(hidden_gradient + u);
    const RowVector dc =
        hn::MulAdd(hn::Mul(dh, o), activation.slope(squashed), vector.load(cell_gradient + u));
    const RowVector c_before = before ? vector.load(before + u) : hn::Zero(RowTag());
    vector.store(hn::Mul(hn::Mul(dc, g), recurrent.slope(i)), out + u);
    vector.store(hn::Mul(hn::Mul(dc, c_before), recurrent.slope(f)), out + units + u);
    vector.store(hn::Mul(hn::Mul(dc, i), activation.slope(g)), out + 2 * units + u);
    vector.store(hn::Mul(hn::Mul(dh, squashed), recurrent.slope(o)), out + 3 * units + u);
    vector.store(hn::Mul(dc, f), cell_gradient + u);
    vector.store(hn::Zero(RowTag()), hidden_gradient + u);
  });
}

template <class Activation, class Recurrent>
void lstm_rows_gradient(const CellGradientRows& rows, Activation activation, Recurrent recurrent) {
  for (int64_t row = 0; row < rows.rows; ++row) {
    if (rows.is_masked(row))
      std::fill_n(rows.gate_gradients + row * rows.gate_gradients_row, 4 * rows.units, 0.0f);
    else
      lstm_row_gradient(rows, row, activation, recurrent);
  }
}

void lstm_gradient(const CellGradientRows& rows) {
  const CellActivations& kinds = rows.activations;
  if (kinds.are_usual()) return lstm_rows_gradient(rows, TanhActivation(), SigmoidActivation());
  lstm_rows_gradient(rows, AnyActivation{kinds.activation}, AnyActivation{kinds.recurrent});
}

template <class Activation>
void hidden_rows(int64_t rows, int64_t units, Activation activation, const float* gates,
                 int64_t gates_row, const float* cells, float* hidden) {
  for (int64_t row = 0; row < rows; ++row) {
    const float* const o = gates + row * gates_row + 3 * units;
    for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
      const RowVector squashed = activation.value(vector.load(cells + row * units + u));
      vector.store(hn::Mul(vector.load(o + u), squashed), hidden + row * units + u);
    });
  }
}

void hidden_of(int64_t rows, int64_t units, CellActivation activation, const float* gates,
               int64_t gates_row, const float* cells, float* hidden) {
  if (activation == CellActivation::tanh)
    return hidden_rows(rows, units, TanhActivation(), gates, gates_row, cells, hidden);
  hidden_rows(rows, units, AnyActivation{activation}, gates, gates_row, cells, hidden);
}

}  // namespace
}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(lstm);
HWY_EXPORT(lstm_gradient);
HWY_EXPORT(hidden_of);

void lstm_cell(const CellRows& rows) {
  HWY_DYNAMIC_DISPATCH(lstm)(rows);
}

void lstm_cell_gradient(const CellGradientRows& rows) {
  HWY_DYNAMIC_DISPATCH(lstm_gradient)(rows);
}

void lstm_hidden(int64_t rows, int64_t units, CellActivation activation, const float* gates,
                 int64_t gates_row, const float* cells, float* hidden) {
  HWY_DYNAMIC_DISPATCH(hidden_of)(rows, units, activation, gates, gates_row, cells, hidden);
}

}  // namespace plimsoll::kernels
#endif
