// The form of a recurrent layer's op: its cell, its options, and which optional tensors come with
// it. One op runs a whole sequence; sequences that are cut in two compose when the second one gets
// the last state (and, with a mask, the last output) of the first.
#pragma once

#include <cstdint>
#include <string_view>

namespace plimsoll::kernels {

enum class RecurrentCell { simple, gru, lstm };

// Functions whose slope follows from their value.
enum class CellActivation { linear, relu, hard_sigmoid, sigmoid, tanh };

constexpr std::string_view name_of(CellActivation activation) {
  constexpr std::string_view kNames[] = {"linear", "relu", "hard_sigmoid", "sigmoid", "tanh"};
  return kNames[static_cast<int>(activation)];
}

// The outputs. Those that the form does not have, or that nothing reads, have shape (0,). The
// gradient reads the last three.
enum RecurrentOutput {
  kSequence,    // (batch, steps, units), or the last output (batch, units)
  kLastHidden,  // (batch, units)
  kLastCell,    // the same, of an LSTM
  kGates,       // (steps, batch, columns): the cell's gates, after their activations
  kCells,       // (steps, batch, units): the states c of an LSTM
  kHiddens,     // (batch, steps, units): the states h
  kRecurrentOutputs
};

// The outputs of the gradient, likewise.
enum RecurrentGradient {
  kInputGradient,
  kKernelGradient,
  kRecurrentKernelGradient,
  kBiasGradient,
  kInitialHiddenGradient,
  kInitialCellGradient,
  kPreviousOutputGradient,
  kRecurrentGradients
};

struct RecurrentForm {
  RecurrentCell cell = RecurrentCell::lstm;
  CellActivation activation = CellActivation::tanh;
  CellActivation recurrent_activation = CellActivation::sigmoid;
  bool reset_after = true;  // of a GRU
  bool bias = true;
  bool go_backwards = false;
  bool return_sequences = false;
  bool zero_output_for_mask = false;

  // Optional inputs. What is absent is zero, but for the mask: then every step counts.
  bool initial_state = false, mask = false, previous_output = false;
  // Factors on what goes into each product, one set for all gates or one per gate; 0 is none.
  int input_dropouts = 0, recurrent_dropouts = 0;

  uint32_t unused = 0;  // bit o: nothing reads output o, or the form does not have it

  // Bits of what only a gradient reads.
  static constexpr uint32_t kSaved = 1u << kGates | 1u << kCells | 1u << kHiddens;

  bool uses(int output) const { return ((unused >> output) & 1) == 0; }
  bool is_lstm() const { return cell == RecurrentCell::lstm; }
  bool is_gru() const { return cell == RecurrentCell::gru; }
  bool resets_before() const { return is_gru() && !reset_after; }

  // Columns of the kernels, in units.
  int gates() const { return is_lstm() ? 4 : is_gru() ? 3 : 1; }
  // Columns of the saved gates, in units: i f c o; z r h and, where the reset gate comes after the
  // product, what it is multiplied with; or the new state.
  int columns() const { return is_gru() && reset_after ? 4 : gates(); }

  // True if the gradient reads all states h. An LSTM's follow from its gates and c, and a simple
  // cell's are its gates; but not across masked steps.
  bool wants_hiddens() const { return mask || is_gru(); }
  // Then the sequence that is returned may be all of them.
  bool sequence_is_hiddens() const {
    return return_sequences &&
           (!mask || (!zero_output_for_mask && !initial_state && !previous_output));
  }
  bool saves_hiddens() const { return wants_hiddens() && !sequence_is_hiddens(); }

  // Bits of the outputs, and of the gradients, that this form does not have.
  uint32_t absent_outputs() const {
    return (is_lstm() ? 0u : 1u << kLastCell | 1u << kCells) |
           (saves_hiddens() ? 0u : 1u << kHiddens);
  }
  uint32_t absent_gradients() const {
    return (bias ? 0u : 1u << kBiasGradient) | (initial_state ? 0u : 1u << kInitialHiddenGradient) |
           (initial_state && is_lstm() ? 0u : 1u << kInitialCellGradient) |
           (previous_output ? 0u : 1u << kPreviousOutputGradient);
  }
};

// The position of each input; -1 if the form does not have it.
struct RecurrentInputs {
  int x = 0, kernel = 1, recurrent_kernel = 2;
  int bias = -1, hidden = -1, cell = -1, mask = -1, previous_output = -1;
  int input_dropout = -1, recurrent_dropout = -1;
  int count = 3;

  explicit RecurrentInputs(const RecurrentForm& form) {
    const auto add = [this](bool there, int& slot) {
      if (there) slot = count++;
    };
    add(form.bias, bias);
    add(form.initial_state, hidden);
    add(form.initial_state && form.is_lstm(), cell);
    add(form.mask, mask);
    add(form.previous_output, previous_output);
    add(form.input_dropouts > 0, input_dropout);
    add(form.recurrent_dropouts > 0, recurrent_dropout);
  }
};

// Which gradients flow into the op's outputs.
struct RecurrentFlow {
  bool sequence = false, last_hidden = false, last_cell = false;
};

// The same for the gradient: all inputs of the op but the bias and the previous output, what was
// saved, and the gradients that flow.
struct RecurrentGradientInputs : RecurrentInputs {
  int gates = -1, cells = -1, hiddens = -1;
  int sequence_gradient = -1, last_hidden_gradient = -1, last_cell_gradient = -1;

  RecurrentGradientInputs(const RecurrentForm& form, const RecurrentFlow& flow)
      : RecurrentInputs(without_unread(form)) {
    const auto add = [this](bool there, int& slot) {
      if (there) slot = count++;
    };
    add(true, gates);
    add(form.is_lstm(), cells);
    add(form.wants_hiddens(), hiddens);
    add(flow.sequence, sequence_gradient);
    add(flow.last_hidden, last_hidden_gradient);
    add(flow.last_cell, last_cell_gradient);
  }

 private:
  static RecurrentForm without_unread(RecurrentForm form) {
    form.bias = form.previous_output = false;
    return form;
  }
};

struct RecurrentSizes {
  int64_t batch = 0, steps = 0, features = 0, units = 0;
};

}  // namespace plimsoll::kernels
