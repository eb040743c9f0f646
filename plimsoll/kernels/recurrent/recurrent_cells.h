// One step of a recurrent cell, for rows of a batch: what is computed element by element once the
// products are done.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/recurrent/recurrent_form.h"

namespace plimsoll::kernels {

struct CellActivations {
  CellActivation activation = CellActivation::tanh;
  CellActivation recurrent = CellActivation::sigmoid;

  bool are_usual() const {
    return activation == CellActivation::tanh && recurrent == CellActivation::sigmoid;
  }
};

// Rows of one step, in and out. Tensors of `units` columns have rows that far apart.
struct CellRows {
  int64_t rows = 0, units = 0;
  CellActivations activations = {};
  // In: the sums of the products. Out: the gates; zeros in rows that are masked.
  float* gates = nullptr;
  int64_t gates_row = 0;
  const float* cells_before = nullptr;  // of an LSTM; null: zeros. May be the same as `cells`.
  float* cells = nullptr;
  float* hidden = nullptr;  // in: the state before; out: after. Rows that are masked keep theirs.
  const uint8_t* valid = nullptr;  // false masks a row; null: none is
  int64_t valid_row = 0;

  bool is_masked(int64_t row) const { return valid != nullptr && valid[row * valid_row] == 0; }
};

void lstm_cell(const CellRows& rows);
void simple_rnn_cell(const CellRows& rows);
// A GRU that multiplies by the reset gate after the product: columns z r h and h's product.
void gru_cell(const CellRows& rows);
// One that multiplies before it, in two parts. First z and r are made, and `reset` = r * hidden
// (* factors, `factors_row` apart, if there are any), which goes into the product for h.
void gru_gates(const CellRows& rows, const float* factors, int64_t factors_row, float* reset);
void gru_cell_after_gates(const CellRows& rows);

// The same backwards. Masked rows have gate gradients of zero and keep those of their states.
struct CellGradientRows {
  int64_t rows = 0, units = 0;
  CellActivations activations = {};
  const float* gates = nullptr;
  int64_t gates_row = 0;
  const float* cells = nullptr;
  const float* cells_before = nullptr;   // null: zeros
  const float* hidden_before = nullptr;  // of a GRU
  // In: the gradient of the state after the step. Out: the gradient that flows to the state before
  // it, except through the products.
  float* hidden_gradient = nullptr;
  float* cell_gradient = nullptr;
  float* gate_gradients = nullptr;  // of the products' sums
  int64_t gate_gradients_row = 0;
  const uint8_t* valid = nullptr;
  int64_t valid_row = 0;

  bool is_masked(int64_t row) const { return valid != nullptr && valid[row * valid_row] == 0; }
};

void lstm_cell_gradient(const CellGradientRows& rows);
void simple_rnn_cell_gradient(const CellGradientRows& rows);
void gru_cell_gradient(const CellGradientRows& rows);
// Two parts again: the gradients of z and h; then, when the product's gradient `reset_gradient`,
// of r * hidden_before (* factors), is known, that of r. Overwrites `reset_gradient`.
void gru_cell_after_gates_gradient(const CellGradientRows& rows);
void gru_gates_gradient(const CellGradientRows& rows, const float* factors, int64_t factors_row,
                        float* reset_gradient);

// hidden = o * activation(c), for rows of an LSTM's gates.
void lstm_hidden(int64_t rows, int64_t units, CellActivation activation, const float* gates,
                 int64_t gates_row, const float* cells, float* hidden);

}  // namespace plimsoll::kernels
