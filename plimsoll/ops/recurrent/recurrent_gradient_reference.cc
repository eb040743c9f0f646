#include <utility>

#include "plimsoll/ops/recurrent/recurrent_reference.h"
#include "plimsoll/ops/recurrent/recurrent_reference_arrays.h"

namespace plimsoll {
namespace {

using kernels::RecurrentForm;
using kernels::RecurrentGradientInputs;

// One step of one sample: what was saved of it, and the gradients of what went into its gates. A
// GRU's column h has two sums, x's and the state's.
struct Step {
  int64_t sample, step;
  Row gates, h_before, c_before, c;
  Row of_input, of_state;
};

class Backward {
 public:
  Backward(const RecurrentForm& form, const kernels::RecurrentFlow& flow, std::span<const Array> in,
           Arrays& out)
      : s_(form, in), slots_(form, flow), out_(out) {}

  void run(int64_t sample) {
    const int64_t n = s_.units;
    Row dh = state_row(slots_.last_hidden_gradient, sample);
    Row dc = state_row(slots_.last_cell_gradient, sample), dy(at(n), 0.0);
    if (!s_.form.return_sequences) dy = state_row(slots_.sequence_gradient, sample);
    for (int64_t step = s_.steps - 1; step >= 0; --step) {
      const int64_t row = (sample * s_.steps + step) * n;
      if (s_.form.return_sequences)
        for (int64_t u = 0; u < n; ++u) dy[at(u)] += s_.at(slots_.sequence_gradient, row + u);
      const bool valid = s_.valid(slots_.mask, sample, step);
      if (valid)
        for (int64_t u = 0; u < n; ++u) dh[at(u)] += dy[at(u)];
      if (valid || s_.form.zero_output_for_mask) std::ranges::fill(dy, 0.0);
      if (valid) run_step(sample, step, dh, dc);
    }
    if (s_.steps == 0 && !s_.form.mask)
      for (int64_t u = 0; u < n; ++u) dh[at(u)] += std::exchange(dy[at(u)], 0.0);
    for (int64_t u = 0; u < n; ++u) {
      add(kernels::kInitialHiddenGradient, sample * n + u, dh[at(u)]);
      add(kernels::kInitialCellGradient, sample * n + u, dc[at(u)]);
      add(kernels::kPreviousOutputGradient, sample * n + u, s_.form.mask ? dy[at(u)] : 0);
    }
  }

 private:
  static size_t at(int64_t i) { return static_cast<size_t>(i); }

  void add(int output, int64_t i, double value) {
    if (s_.form.uses(output)) out_[static_cast<size_t>(output)][i] += value;
  }
  Row state_row(int input, int64_t row) const {
    Row values(at(s_.units));
    for (int64_t u = 0; u < s_.units; ++u) values[at(u)] = s_.at(input, row * s_.units + u);
    return values;
  }

  // The state before, from what was saved: see RecurrentForm::wants_hiddens.
  Row hidden_before(int64_t sample, int64_t step) const {
    if (step == 0) return state_row(slots_.hidden, sample);
    if (s_.form.wants_hiddens()) return state_row(slots_.hiddens, sample * s_.steps + step - 1);
    const int64_t row = (step - 1) * s_.batch + sample;
    if (!s_.form.is_lstm()) return state_row(slots_.gates, row);
    Row h = state_row(slots_.cells, row);
    for (int64_t u = 0; u < s_.units; ++u)
      h[at(u)] = activate(s_.form.activation, h[at(u)]) *
                 s_.at(slots_.gates, (row * 4 + 3) * s_.units + u);
    return h;
  }

  void run_step(int64_t sample, int64_t step, Row& dh, Row& dc) {
    const int64_t columns = s_.form.columns() * s_.units, row = step * s_.batch + sample;
    Step at_step = {sample, step, Row(at(columns)), hidden_before(sample, step), {}, {}, {}, {}};
    for (int64_t j = 0; j < columns; ++j)
      at_step.gates[at(j)] = s_.at(slots_.gates, row * columns + j);
    at_step.of_input.resize(at(s_.gate_columns()));
    if (s_.form.is_lstm()) {
      at_step.c = state_row(slots_.cells, row);
      at_step.c_before =
          step == 0 ? state_row(slots_.cell, sample) : state_row(slots_.cells, row - s_.batch);
      lstm(at_step, dh, dc);
    } else if (s_.form.is_gru()) {
      gru(at_step, dh);
    } else {
      simple(at_step, dh);
    }
    if (at_step.of_state.empty()) at_step.of_state = at_step.of_input;
    spread(at_step, dh);
  }

  void simple(Step& t, Row& dh) const {
    for (int64_t u = 0; u < s_.units; ++u)
      t.of_input[at(u)] = std::exchange(dh[at(u)], 0.0) * slope(s_.form.activation, t.gates[at(u)]);
  }

  void lstm(Step& t, Row& dh, Row& dc) const {
    const int64_t n = s_.units;
    const auto activation = s_.form.activation, recurrent = s_.form.recurrent_activation;
    for (int64_t u = 0; u < n; ++u) {
      const double i = t.gates[at(u)], f = t.gates[at(n + u)];
      const double g = t.gates[at(2 * n + u)], o = t.gates[at(3 * n + u)];
      const double squashed = activate(activation, t.c[at(u)]);
      const double d = std::exchange(dh[at(u)], 0.0);
      dc[at(u)] += d * o * slope(activation, squashed);
      t.of_input[at(u)] = dc[at(u)] * g * slope(recurrent, i);
      t.of_input[at(n + u)] = dc[at(u)] * t.c_before[at(u)] * slope(recurrent, f);
      t.of_input[at(2 * n + u)] = dc[at(u)] * i * slope(activation, g);
      t.of_input[at(3 * n + u)] = d * squashed * slope(recurrent, o);
      dc[at(u)] *= f;
    }
  }

  void gru(Step& t, Row& dh) {
    const int64_t n = s_.units;
    const auto activation = s_.form.activation, recurrent = s_.form.recurrent_activation;
    for (int64_t u = 0; u < n; ++u) {
      const double z = t.gates[at(u)], candidate = t.gates[at(2 * n + u)];
      t.of_input[at(u)] = dh[at(u)] * (t.h_before[at(u)] - candidate) * slope(recurrent, z);
      t.of_input[at(2 * n + u)] = dh[at(u)] * (1 - z) * slope(activation, candidate);
      dh[at(u)] *= z;
    }
    t.of_state = t.of_input;
    for (int64_t u = 0; u < n; ++u) {
      const double r = t.gates[at(n + u)];
      double dr = 0;
      if (s_.form.reset_after) {
        dr = t.of_input[at(2 * n + u)] * t.gates[at(3 * n + u)];
        t.of_state[at(2 * n + u)] *= r;
      } else {
        for (int64_t j = 2 * n; j < 3 * n; ++j)
          dr += t.of_state[at(j)] * weight(t.sample, u, j) * t.h_before[at(u)];
      }
      t.of_input[at(n + u)] = t.of_state[at(n + u)] = dr * slope(recurrent, r);
    }
  }

  // The recurrent kernel's element (k, j), with the factor on h.
  double weight(int64_t sample, int64_t k, int64_t j) const {
    return s_.in[2][k * s_.gate_columns() + j] * state_factor(sample, k, j);
  }
  double state_factor(int64_t sample, int64_t k, int64_t j) const {
    return s_.factor(slots_.recurrent_dropout, s_.form.recurrent_dropouts, s_.units, sample, k, j);
  }

  // From the gradients of the gates' sums to those of their inputs.
  void spread(const Step& t, Row& dh) {
    for (int64_t j = 0; j < s_.gate_columns(); ++j) {
      const double of_input = t.of_input[at(j)], of_state = t.of_state[at(j)];
      const bool reset = s_.form.resets_before() && j >= 2 * s_.units;
      for (int64_t k = 0; k < s_.features; ++k) {
        const double factor =
            s_.factor(slots_.input_dropout, s_.form.input_dropouts, s_.features, t.sample, k, j);
        const int64_t kj = k * s_.gate_columns() + j;
        add(kernels::kInputGradient, (t.sample * s_.steps + s_.time(t.step)) * s_.features + k,
            of_input * factor * s_.in[1][kj]);
        add(kernels::kKernelGradient, kj, of_input * factor * s_.x(t.sample, t.step, k));
      }
      for (int64_t k = 0; k < s_.units; ++k) {
        const double r = reset ? t.gates[at(s_.units + k)] : 1;
        dh[at(k)] += of_state * weight(t.sample, k, j) * r;
        add(kernels::kRecurrentKernelGradient, k * s_.gate_columns() + j,
            of_state * t.h_before[at(k)] * r * state_factor(t.sample, k, j));
      }
      add(kernels::kBiasGradient, j, of_input);
      if (s_.form.is_gru() && s_.form.reset_after)
        add(kernels::kBiasGradient, s_.gate_columns() + j, of_state);
    }
  }

  ReferenceSequence s_;
  RecurrentGradientInputs slots_;
  Arrays& out_;
};

}  // namespace

Arrays recurrent_gradient_reference(const RecurrentForm& form, const kernels::RecurrentFlow& flow,
                                    std::span<const Array> in, Arrays outputs) {
  Backward backward(form, flow, in, outputs);
  for (int64_t sample = 0; sample < in[0].spec.shape[0]; ++sample) backward.run(sample);
  return outputs;
}

}  // namespace plimsoll
