#include "plimsoll/ops/recurrent/recurrent_reference.h"

#include "plimsoll/ops/recurrent/recurrent_reference_arrays.h"

namespace plimsoll {
namespace {

using kernels::RecurrentForm;
using kernels::RecurrentInputs;

class Forward {
 public:
  Forward(const RecurrentForm& form, std::span<const Array> in, Arrays& out)
      : s_(form, in), slots_(form), out_(out) {}

  void run(int64_t sample) {
    Row h(static_cast<size_t>(s_.units)), c = h, y = h;
    for (int64_t u = 0; u < s_.units; ++u) {
      h[at(u)] = s_.at(slots_.hidden, sample * s_.units + u);
      c[at(u)] = s_.at(slots_.cell, sample * s_.units + u);
      y[at(u)] = s_.at(slots_.previous_output, sample * s_.units + u);
    }
    if (!s_.form.mask) y = h;  // of no steps at all
    for (int64_t step = 0; step < s_.steps; ++step) {
      Row gates(static_cast<size_t>(s_.form.columns() * s_.units), 0.0);
      const bool valid = s_.valid(slots_.mask, sample, step);
      if (valid) {
        gates = sums(sample, step, h);
        run_cell(sample, gates, h, c);
        y = h;
      } else if (s_.form.zero_output_for_mask) {
        std::ranges::fill(y, 0.0);
      }
      write(kernels::kGates, step * s_.batch + sample, gates);
      write(kernels::kCells, step * s_.batch + sample, c);
      write(kernels::kHiddens, sample * s_.steps + step, h);
      if (s_.form.return_sequences) write(kernels::kSequence, sample * s_.steps + step, y);
    }
    if (!s_.form.return_sequences) write(kernels::kSequence, sample, y);
    write(kernels::kLastHidden, sample, h);
    write(kernels::kLastCell, sample, c);
  }

 private:
  static size_t at(int64_t i) { return static_cast<size_t>(i); }

  void write(int output, int64_t row, const Row& values) {
    if (!s_.form.uses(output)) return;
    Array& array = out_[static_cast<size_t>(output)];
    std::ranges::copy(values, array.data.begin() + row * static_cast<int64_t>(values.size()));
  }

  // x * kernel + bias for column j, and the state's share.
  double input_sum(int64_t sample, int64_t step, int64_t j) const {
    double sum = s_.at(slots_.bias, j);
    for (int64_t k = 0; k < s_.features; ++k)
      sum += s_.x(sample, step, k) * s_.in[1][k * s_.gate_columns() + j] *
             s_.factor(slots_.input_dropout, s_.form.input_dropouts, s_.features, sample, k, j);
    return sum;
  }
  double state_sum(int64_t sample, int64_t j, const Row& h) const {
    double sum =
        s_.form.is_gru() && s_.form.reset_after ? s_.at(slots_.bias, s_.gate_columns() + j) : 0;
    for (int64_t k = 0; k < s_.units; ++k)
      sum +=
          h[at(k)] * s_.in[2][k * s_.gate_columns() + j] *
          s_.factor(slots_.recurrent_dropout, s_.form.recurrent_dropouts, s_.units, sample, k, j);
    return sum;
  }

  // The inputs of the gates; the state's share of a GRU's h is kept separately or left out.
  Row sums(int64_t sample, int64_t step, const Row& h) const {
    Row gates(static_cast<size_t>(s_.form.columns() * s_.units), 0.0);
    for (int64_t j = 0; j < s_.gate_columns(); ++j) {
      const bool apart = s_.form.is_gru() && j >= 2 * s_.units;
      gates[at(j)] = input_sum(sample, step, j);
      if (!apart) gates[at(j)] += state_sum(sample, j, h);
      if (apart && s_.form.reset_after) gates[at(j + s_.units)] = state_sum(sample, j, h);
    }
    return gates;
  }

  void run_cell(int64_t sample, Row& gates, Row& h, Row& c) const {
    const RecurrentForm& form = s_.form;
    const int64_t n = s_.units;
    if (!form.is_gru() && !form.is_lstm()) {
      for (double& gate : gates) gate = activate(form.activation, gate);
      h = gates;
      return;
    }
    for (int64_t j = 0; j < 2 * n; ++j)
      gates[at(j)] = activate(form.recurrent_activation, gates[at(j)]);
    if (form.is_gru()) return run_gru(sample, gates, h);
    for (int64_t u = 0; u < n; ++u) {
      double &i = gates[at(u)], &f = gates[at(n + u)];
      double &g = gates[at(2 * n + u)], &o = gates[at(3 * n + u)];
      g = activate(form.activation, g);
      o = activate(form.recurrent_activation, o);
      c[at(u)] = f * c[at(u)] + i * g;
      h[at(u)] = o * activate(form.activation, c[at(u)]);
    }
  }

  void run_gru(int64_t sample, Row& gates, Row& h) const {
    const int64_t n = s_.units;
    Row reset = h;
    for (int64_t u = 0; u < n; ++u) reset[at(u)] *= gates[at(n + u)];
    const Row before = h;
    for (int64_t u = 0; u < n; ++u) {
      double& candidate = gates[at(2 * n + u)];
      if (s_.form.reset_after)
        candidate += gates[at(n + u)] * gates[at(3 * n + u)];
      else
        candidate += state_sum(sample, 2 * n + u, reset);
      candidate = activate(s_.form.activation, candidate);
      const double z = gates[at(u)];
      h[at(u)] = z * before[at(u)] + (1 - z) * candidate;
    }
  }

  ReferenceSequence s_;
  RecurrentInputs slots_;
  Arrays& out_;
};

}  // namespace

Arrays recurrent_reference(const RecurrentForm& form, std::span<const Array> in, Arrays outputs) {
  Forward forward(form, in, outputs);
  for (int64_t sample = 0; sample < in[0].spec.shape[0]; ++sample) forward.run(sample);
  return outputs;
}

}  // namespace plimsoll
