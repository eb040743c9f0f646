// Recurrent layers, a whole sequence an op. Gates stand in Keras's order: i f c o of an LSTM, z r h
// of a GRU.
#pragma once

#include "plimsoll/graph/operand.h"
#include "plimsoll/kernels/recurrent/recurrent_form.h"

namespace plimsoll {

using kernels::CellActivation;
using kernels::RecurrentCell;

struct RecurrentOptions {
  CellActivation activation = CellActivation::tanh;
  CellActivation recurrent_activation = CellActivation::sigmoid;
  bool reset_after = true;  // of a GRU: r * (h * U + b), not (r * h) * U
  bool go_backwards = false;
  bool return_sequences = false;
  // The output of a masked step; else it is the one before.
  bool zero_output_for_mask = false;
  // Saves what a gradient needs. Where none is expected this spares memory: whoever holds an output
  // holds what was saved with it. A gradient that is asked for all the same computes it again.
  bool save_for_gradient = true;

  Tensor bias = {};            // (gates * units), or (2, 3 * units) for a GRU with reset_after
  Tensors initial_state = {};  // (batch, units): h, and c of an LSTM; none is zeros
  Tensor mask = {};            // (batch, steps) of bool: a step that does not count keeps the state
  // What stands for the output before the first step, where that is masked; none is zeros. With the
  // last output of one sequence the next one goes on where that ended.
  Tensor previous_output = {};
  // Factors, the same at all steps, on what goes into the products: (batch, 1 or gates, features)
  // on x and (batch, 1 or gates, units) on h. No gradient flows to them.
  Tensor input_dropout = {}, recurrent_dropout = {};
};

struct RecurrentResult {
  Tensor output;  // (batch, steps, units) with return_sequences, else the last: (batch, units)
  Tensors state;  // h, and c of an LSTM
};

// x: (batch, steps, features), kernel: (features, gates * units), recurrent_kernel: (units, gates *
// units).
RecurrentResult lstm(const Operand& x, const Operand& kernel, const Operand& recurrent_kernel,
                     const RecurrentOptions& options = {});
RecurrentResult gru(const Operand& x, const Operand& kernel, const Operand& recurrent_kernel,
                    const RecurrentOptions& options = {});
RecurrentResult simple_rnn(const Operand& x, const Operand& kernel, const Operand& recurrent_kernel,
                           const RecurrentOptions& options = {});

}  // namespace plimsoll
