// Recurrent sequences composed of ops, step after step.
#include "plimsoll/nn/recurrent/recurrent_cell.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class Steps {
 public:
  Steps(const RecurrentSettings& settings, const RecurrentWeights& weights, const Tensor& x,
        const RecurrentOptions& options)
      : settings_(settings),
        options_(options),
        x_(x),
        kernel_(weights.kernel.value()),
        recurrent_kernel_(weights.recurrent_kernel.value()),
        activation_(activation(settings.activation)),
        recurrent_(activation(settings.recurrent_activation)) {}

  RecurrentResult run() {
    const Shape state = {x_.shape()[0], settings_.units};
    h_ = broadcast_to(0.0, state);
    c_ = output_ = h_;
    if (!options_.initial_state.empty()) h_ = options_.initial_state[0];
    if (options_.initial_state.size() > 1) c_ = options_.initial_state[1];
    if (options_.previous_output.defined()) output_ = options_.previous_output;
    Tensors outputs;
    const int64_t steps = x_.shape()[1];
    for (int64_t i = 0; i < steps; ++i) {
      run_step(options_.go_backwards ? steps - 1 - i : i);
      if (options_.return_sequences) outputs.push_back(expand_dims(output_, 1));
    }
    RecurrentResult result = {options_.return_sequences ? concatenate(outputs, 1) : output_, {h_}};
    if (settings_.kind == RecurrentCell::lstm) result.state.push_back(c_);
    return result;
  }

 private:
  void run_step(int64_t time) {
    const Tensor before_h = h_, before_c = c_;
    const Shape& shape = x_.shape();
    const Tensor x = reshape(slice(x_, {0, time, 0}, {-1, 1, -1}), {shape[0], shape[2]});
    switch (settings_.kind) {
      case RecurrentCell::lstm:
        run_lstm(x);
        break;
      case RecurrentCell::gru:
        run_gru(x);
        break;
      case RecurrentCell::simple:
        h_ = activation_(input_sum(x, 0) + state_sum(h_, 0));
        break;
    }
    if (!options_.mask.defined()) {
      output_ = h_;
      return;
    }
    const Tensor valid = slice(options_.mask, {0, time}, {-1, 1});
    output_ = options_.zero_output_for_mask ? select(valid, h_, 0.0) : select(valid, h_, output_);
    h_ = select(valid, h_, before_h);
    if (settings_.kind == RecurrentCell::lstm) c_ = select(valid, c_, before_c);
  }

  void run_lstm(const Tensor& x) {
    const auto gate = [&](int g) { return input_sum(x, g) + state_sum(h_, g); };
    const Tensor i = recurrent_(gate(0)), f = recurrent_(gate(1));
    const Tensor o = recurrent_(gate(3));
    c_ = f * c_ + i * activation_(gate(2));
    h_ = o * activation_(c_);
  }

  void run_gru(const Tensor& x) {
    const Tensor z = recurrent_(input_sum(x, 0) + state_sum(h_, 0));
    const Tensor r = recurrent_(input_sum(x, 1) + state_sum(h_, 1));
    const Tensor state = settings_.reset_after ? r * state_sum(h_, 2) : state_sum(r * h_, 2);
    h_ = z * h_ + (1 - z) * activation_(input_sum(x, 2) + state);
  }

  // Columns of gate g of a matrix of `rows` rows.
  Tensor columns(const Tensor& matrix, int64_t row, int64_t rows, int g) const {
    return slice(matrix, {row, g * settings_.units}, {rows, settings_.units});
  }
  // Row `row` of the bias, as one row for each gate.
  Tensor bias(int64_t row, int g) const {
    const Tensor rows = reshape(options_.bias, {-1, settings_.gates() * settings_.units});
    return columns(rows, row, 1, g);
  }
  Tensor dropped(const Tensor& values, const Tensor& factors, int g) const {
    if (!factors.defined()) return values;
    const int64_t set = factors.shape()[1] > 1 ? g : 0;
    return values * reshape(slice(factors, {0, set, 0}, {-1, 1, -1}), values.shape());
  }

  Tensor input_sum(const Tensor& x, int g) const {
    const Tensor sum = matmul(dropped(x, options_.input_dropout, g), columns(kernel_, 0, -1, g));
    return options_.bias.defined() ? sum + bias(0, g) : sum;
  }
  Tensor state_sum(const Tensor& h, int g) const {
    const Tensor sum =
        matmul(dropped(h, options_.recurrent_dropout, g), columns(recurrent_kernel_, 0, -1, g));
    const bool own_bias = settings_.kind == RecurrentCell::gru && settings_.reset_after;
    return own_bias && options_.bias.defined() ? sum + bias(1, g) : sum;
  }

  const RecurrentSettings& settings_;
  const RecurrentOptions& options_;
  Tensor x_, kernel_, recurrent_kernel_;
  ActivationFunction activation_, recurrent_;
  Tensor h_, c_, output_;
};

}  // namespace

RecurrentResult run_step_by_step(const RecurrentSettings& settings, const RecurrentWeights& weights,
                                 const Tensor& x, const RecurrentOptions& options) {
  return Steps(settings, weights, x, options).run();
}

}  // namespace plimsoll
