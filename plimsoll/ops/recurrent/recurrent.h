// Recurrent layers; one op runs a whole sequence. Gates are in Keras's order: i f c o of an LSTM, z
// r h of a GRU.
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
  // The output of a masked step is zero; otherwise it is the output of the step before.
  bool zero_output_for_mask = false;
  // Saves what a gradient needs. If no gradient is expected, false saves memory, because an output
  // keeps alive all that was saved with it. A gradient that is requested all the same computes it
  // again.
  bool save_for_gradient = true;

  Tensor bias = {};            // (gates * units), or (2, 3 * units) for a GRU with reset_after
  Tensors initial_state = {};  // (batch, units): h, and c of an LSTM; none is zeros
  Tensor mask = {};            // (batch, steps) of bool: a step that does not count keeps the state
  // The output before the first step, which is used if that step is masked; none is zeros. Given
  // the last output of one sequence, the next one continues it.
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
