#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/recurrent/gru_cell.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/recurrent/recurrent_activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {
namespace {

// z * before + (1 - z) * candidate
HWY_INLINE RowVector mix(RowVector z, RowVector before, RowVector candidate) {
  return hn::MulAdd(z, hn::Sub(before, candidate), candidate);
}

// Calls one(row) for each row that counts; the others' gates, `columns` of them, are zeroed.
template <class Rows, class One>
HWY_INLINE void for_each_row(const Rows& rows, float* gates, int64_t gates_row, int columns,
                             const One& one) {
  for (int64_t row = 0; row < rows.rows; ++row) {
    if (rows.is_masked(row))
      std::fill_n(gates + row * gates_row, columns * rows.units, 0.0f);
    else
      one(row);
  }
}

template <class Activation, class Recurrent>
void reset_after(const CellRows& rows, Activation activation, Recurrent recurrent) {
  const int64_t units = rows.units;
  for_each_row(rows, rows.gates, rows.gates_row, 4, [&](int64_t row) HWY_ATTR {
    float* const gates = rows.gates + row * rows.gates_row;
    float* const hidden = rows.hidden + row * units;
    for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
      const RowVector z = recurrent.value(vector.load(gates + u));
      const RowVector r = recurrent.value(vector.load(gates + units + u));
      const RowVector product = vector.load(gates + 3 * units + u);
      const RowVector candidate =
          activation.value(hn::MulAdd(r, product, vector.load(gates + 2 * units + u)));
      vector.store(z, gates + u);
      vector.store(r, gates + units + u);
      vector.store(candidate, gates + 2 * units + u);
      vector.store(mix(z, vector.load(hidden + u), candidate), hidden + u);
    });
  });
}

template <class Recurrent>
void update_and_reset(const CellRows& rows, const float* factors, int64_t factors_row, float* reset,
                      Recurrent recurrent) {
  const int64_t units = rows.units;
  for (int64_t row = 0; row < rows.rows; ++row) {
    float* const gates = rows.gates + row * rows.gates_row;
    const float* const factor = factors ? factors + row * factors_row : nullptr;
    for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
      const RowVector r = recurrent.value(vector.load(gates + units + u));
      vector.store(recurrent.value(vector.load(gates + u)), gates + u);
      vector.store(r, gates + units + u);
      RowVector product = hn::Mul(r, vector.load(rows.hidden + row * units + u));
      if (factor) product = hn::Mul(product, vector.load(factor + u));
      vector.store(product, reset + row * units + u);
    });
  }
}

template <class Activation>
void candidate_and_state(const CellRows& rows, Activation activation) {
  const int64_t units = rows.units;
  for_each_row(rows, rows.gates, rows.gates_row, 3, [&](int64_t row) HWY_ATTR {
    float* const gates = rows.gates + row * rows.gates_row;
    float* const hidden = rows.hidden + row * units;
    for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
      const RowVector candidate = activation.value(vector.load(gates + 2 * units + u));
      vector.store(candidate, gates + 2 * units + u);
      vector.store(mix(vector.load(gates + u), vector.load(hidden + u), candidate), hidden + u);
    });
  });
}

// Gradients of z and h, which are alike in both kinds; calls rest(vector, row, unit, dh's sum) for
// what is not.
template <class Activation, class Recurrent, class Rest>
HWY_INLINE void mix_gradient(const CellGradientRows& rows, int columns, Activation activation,
                             Recurrent recurrent, const Rest& rest) {
  const int64_t units = rows.units, row_floats = rows.gate_gradients_row;
  for_each_row(rows, rows.gate_gradients, row_floats, columns, [&](int64_t row) HWY_ATTR {
    const float* const gates = rows.gates + row * rows.gates_row;
    const float* const before = rows.hidden_before + row * units;
    float* const hidden_gradient = rows.hidden_gradient + row * units;
    float* const out = rows.gate_gradients + row * row_floats;
    for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
      const RowVector one = hn::Set(RowTag(), 1.0f);
      const RowVector z = vector.load(gates + u);
      const RowVector candidate = vector.load(gates + 2 * units + u);
      const RowVector dh = vector.load(hidden_gradient + u);
      const RowVector dz = hn::Mul(dh, hn::Sub(vector.load(before + u), candidate));
      const RowVector sum = hn::Mul(hn::Mul(dh, hn::Sub(one, z)), activation.slope(candidate));
      vector.store(hn::Mul(dz, recurrent.slope(z)), out + u);
      vector.store(sum, out + 2 * units + u);
      vector.store(hn::Mul(dh, z), hidden_gradient + u);
      rest(vector, gates + u, out + u, sum);
    });
  });
}

template <class Activation, class Recurrent>
void reset_after_gradient(const CellGradientRows& rows, Activation activation,
                          Recurrent recurrent) {
  const int64_t units = rows.units;
  mix_gradient(rows, 4, activation, recurrent,
               [&](auto vector, const float* gates, float* out, RowVector sum) HWY_ATTR {
                 const RowVector r = vector.load(gates + units);
                 const RowVector dr = hn::Mul(sum, vector.load(gates + 3 * units));
                 vector.store(hn::Mul(dr, recurrent.slope(r)), out + units);
                 vector.store(hn::Mul(sum, r), out + 3 * units);
               });
}

template <class Activation, class Recurrent>
void candidate_gradient(const CellGradientRows& rows, Activation activation, Recurrent recurrent) {
  mix_gradient(rows, 3, activation, recurrent,
               [](auto, const float*, float*, RowVector) HWY_ATTR {});
}

template <class Recurrent>
void reset_gradient(const CellGradientRows& rows, const float* factors, int64_t factors_row,
                    float* gradient, Recurrent recurrent) {
  const int64_t units = rows.units;
  for (int64_t row = 0; row < rows.rows; ++row) {
    if (rows.is_masked(row)) continue;
    const float* const gates = rows.gates + row * rows.gates_row;
    const float* const before = rows.hidden_before + row * units;
    const float* const factor = factors ? factors + row * factors_row : nullptr;
    float* const hidden_gradient = rows.hidden_gradient + row * units;
    float* const out = rows.gate_gradients + row * rows.gate_gradients_row;
    for_each_unit(units, [&](auto vector, int64_t u) HWY_ATTR {
      RowVector d = vector.load(gradient + row * units + u);
      if (factor) d = hn::Mul(d, vector.load(factor + u));
      const RowVector r = vector.load(gates + units + u);
      const RowVector dr = hn::Mul(d, vector.load(before + u));
      vector.store(hn::Mul(dr, recurrent.slope(r)), out + units + u);
      vector.store(hn::MulAdd(d, r, vector.load(hidden_gradient + u)), hidden_gradient + u);
    });
  }
}

void gru(const CellRows& rows) {
  const CellActivations& kinds = rows.activations;
  if (kinds.are_usual()) return reset_after(rows, TanhActivation(), SigmoidActivation());
  reset_after(rows, AnyActivation{kinds.activation}, AnyActivation{kinds.recurrent});
}

void gates(const CellRows& rows, const float* factors, int64_t factors_row, float* reset) {
  const CellActivation kind = rows.activations.recurrent;
  if (kind == CellActivation::sigmoid)
    return update_and_reset(rows, factors, factors_row, reset, SigmoidActivation());
  update_and_reset(rows, factors, factors_row, reset, AnyActivation{kind});
}

void after_gates(const CellRows& rows) {
  const CellActivation kind = rows.activations.activation;
  if (kind == CellActivation::tanh) return candidate_and_state(rows, TanhActivation());
  candidate_and_state(rows, AnyActivation{kind});
}

void gru_gradient(const CellGradientRows& rows) {
  const CellActivations& kinds = rows.activations;
  if (kinds.are_usual()) return reset_after_gradient(rows, TanhActivation(), SigmoidActivation());
  reset_after_gradient(rows, AnyActivation{kinds.activation}, AnyActivation{kinds.recurrent});
}

void after_gates_gradient(const CellGradientRows& rows) {
  const CellActivations& kinds = rows.activations;
  if (kinds.are_usual()) return candidate_gradient(rows, TanhActivation(), SigmoidActivation());
  candidate_gradient(rows, AnyActivation{kinds.activation}, AnyActivation{kinds.recurrent});
}

void gates_gradient(const CellGradientRows& rows, const float* factors, int64_t factors_row,
                    float* gradient) {
  const CellActivation kind = rows.activations.recurrent;
  if (kind == CellActivation::sigmoid)
    return reset_gradient(rows, factors, factors_row, gradient, SigmoidActivation());
  reset_gradient(rows, factors, factors_row, gradient, AnyActivation{kind});
}

}  // namespace
}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(gru);
HWY_EXPORT(gates);
HWY_EXPORT(after_gates);
HWY_EXPORT(gru_gradient);
HWY_EXPORT(after_gates_gradient);
HWY_EXPORT(gates_gradient);

void gru_cell(const CellRows& rows) {
  HWY_DYNAMIC_DISPATCH(gru)(rows);
}

void gru_gates(const CellRows& rows, const float* factors, int64_t factors_row, float* reset) {
  HWY_DYNAMIC_DISPATCH(gates)(rows, factors, factors_row, reset);
}

void gru_cell_after_gates(const CellRows& rows) {
  HWY_DYNAMIC_DISPATCH(after_gates)(rows);
}

void gru_cell_gradient(const CellGradientRows& rows) {
  HWY_DYNAMIC_DISPATCH(gru_gradient)(rows);
}

void gru_cell_after_gates_gradient(const CellGradientRows& rows) {
  HWY_DYNAMIC_DISPATCH(after_gates_gradient)(rows);
}

void gru_gates_gradient(const CellGradientRows& rows, const float* factors, int64_t factors_row,
                        float* reset_gradient) {
  HWY_DYNAMIC_DISPATCH(gates_gradient)(rows, factors, factors_row, reset_gradient);
}

}  // namespace plimsoll::kernels
#endif
