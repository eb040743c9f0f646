#include "plimsoll/nn/recurrent/recurrent_cell.h"

#include <fmt/format.h>

#include <array>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

// The op's own activation, if it has this one.
std::optional<CellActivation> known_activation(std::string_view name) {
  using Row = std::pair<std::string_view, CellActivation>;
  static constexpr std::array<Row, 6> kKnown = {{{"", CellActivation::linear},
                                                 {"linear", CellActivation::linear},
                                                 {"relu", CellActivation::relu},
                                                 {"hard_sigmoid", CellActivation::hard_sigmoid},
                                                 {"sigmoid", CellActivation::sigmoid},
                                                 {"tanh", CellActivation::tanh}}};
  for (const auto& [known, activation] : kKnown)
    if (known == name) return activation;
  return {};
}

RecurrentResult run_op(RecurrentCell kind, const Tensor& x, const RecurrentWeights& weights,
                       const RecurrentOptions& options) {
  switch (kind) {
    case RecurrentCell::lstm:
      return lstm(x, weights.kernel, weights.recurrent_kernel, options);
    case RecurrentCell::gru:
      return gru(x, weights.kernel, weights.recurrent_kernel, options);
    case RecurrentCell::simple:
      break;
  }
  return simple_rnn(x, weights.kernel, weights.recurrent_kernel, options);
}

}  // namespace

Tensors SequenceCell::call(const Tensors& inputs, const CallContext& context) {
  const Tensor x = as_float(inputs[0]);
  RecurrentResult result = run(expand_dims(x, 1), {.is_training = context.is_training,
                                                   .initial_state = context.initial_state});
  Tensors outputs = {result.output};
  outputs.insert(outputs.end(), result.state.begin(), result.state.end());
  return outputs;
}

void SequenceCell::check_dropout(const CellSettings& settings) const {
  const auto check_rate = [&](const char* what, double rate) {
    if (!(rate >= 0 && rate <= 1))
      refuse(fmt::format("{} must be between 0 and 1, found {}", what, rate));
  };
  check_rate("dropout", settings.dropout);
  check_rate("recurrent_dropout", settings.recurrent_dropout);
}

RecurrentWeights SequenceCell::add_weights(const CellSettings& settings, const Shape& kernel,
                                           const Shape& recurrent_kernel, const Shape& bias) {
  RecurrentWeights weights;
  weights.kernel = add_weight({.name = "kernel",
                               .shape = kernel,
                               .initializer = settings.kernel_initializer,
                               .regularizer = settings.kernel_regularizer,
                               .constraint = settings.kernel_constraint});
  weights.recurrent_kernel = add_weight({.name = "recurrent_kernel",
                                         .shape = recurrent_kernel,
                                         .initializer = settings.recurrent_initializer,
                                         .regularizer = settings.recurrent_regularizer,
                                         .constraint = settings.recurrent_constraint});
  if (!settings.use_bias) return weights;
  weights.bias = add_weight({.name = "bias",
                             .shape = bias,
                             .initializer = settings.bias_initializer,
                             .regularizer = settings.bias_regularizer,
                             .constraint = settings.bias_constraint});
  if (!settings.unit_forget_bias) return weights;
  // The second of the four gates of an LSTM.
  fill_initially([bias = weights.bias, size = bias.back() / 4]() mutable {
    std::vector<float> values = bias.value().to_vector();
    std::fill_n(values.begin() + size, size, 1.0f);
    bias.set(values);
  });
  return weights;
}

CellBody::CellBody(const RecurrentSettings& settings) : settings_(settings), seed_(settings.seed) {
  activation(settings_.activation);  // an unknown one is refused now
  activation(settings_.recurrent_activation);
}

void CellBody::validate() const {
  if (settings_.units < 1)
    refuse(fmt::format("units must be at least 1, found {}", settings_.units));
  check_dropout(settings_);
}

std::string_view CellBody::class_name() const {
  switch (settings_.kind) {
    case RecurrentCell::lstm:
      return "LSTMCell";
    case RecurrentCell::gru:
      return "GRUCell";
    case RecurrentCell::simple:
      break;
  }
  return "SimpleRNNCell";
}

std::vector<int64_t> CellBody::state_sizes() const {
  const size_t count = settings_.kind == RecurrentCell::lstm ? 2 : 1;
  return std::vector<int64_t>(count, settings_.units);
}

void CellBody::build(const Specs& inputs) {
  const int64_t units = settings_.units, columns = settings_.gates() * units;
  const bool two = settings_.kind == RecurrentCell::gru && settings_.reset_after;
  weights_ = add_weights(settings_, {inputs[0].shape.back(), columns}, {units, columns},
                         two ? Shape{2, columns} : Shape{columns});
}

void CellBody::check(const Specs& inputs) const {
  const Shape& shape = inputs[0].shape;
  if (shape.rank() != 2)
    refuse("expected an input of rank 2, (batch, features), found " + shape.to_string());
  if (built() && shape.back() != weights_.kernel.shape()[0])
    refuse(fmt::format("input has {} features, kernel expects {}", shape.back(),
                       weights_.kernel.shape()[0]));
}

// Factors of 0, and factors that keep the mean; the same at every step. With recurrent dropout each
// gate has a set of its own, as in Keras.
Tensor CellBody::dropout_factors(double rate, int64_t batch, int64_t width) const {
  const int sets = settings_.recurrent_dropout > 0 ? settings_.gates() : 1;
  return dropout(broadcast_to(1.0, {batch, sets, width}), rate, seed_.draw());
}

RecurrentResult CellBody::run(const Tensor& x, const SequenceCall& call) {
  const Scope scope(name());
  RecurrentOptions options = {.reset_after = settings_.reset_after,
                              .go_backwards = call.go_backwards,
                              .return_sequences = call.return_sequences,
                              .zero_output_for_mask = call.zero_output_for_mask,
                              .save_for_gradient = call.is_training || GradientTape::recording(),
                              .initial_state = call.initial_state,
                              .mask = call.mask};
  if (settings_.use_bias) options.bias = weights_.bias.value();
  // A rate of 1 drops nothing, as in Keras.
  const auto drops = [&](double rate) { return call.is_training && rate > 0 && rate < 1; };
  if (drops(settings_.dropout))
    options.input_dropout = dropout_factors(settings_.dropout, x.shape()[0], x.shape()[2]);
  if (drops(settings_.recurrent_dropout))
    options.recurrent_dropout =
        dropout_factors(settings_.recurrent_dropout, x.shape()[0], settings_.units);
  const auto activation = known_activation(settings_.activation);
  const auto recurrent = known_activation(settings_.recurrent_activation);
  if (!activation || !recurrent) return run_step_by_step(settings_, weights_, x, options);
  options.activation = *activation;
  options.recurrent_activation = *recurrent;
  return run_op(settings_.kind, x, weights_, options);
}

std::shared_ptr<SequenceCell> make_inner_cell(const RecurrentSettings& settings) {
  auto cell = std::make_shared<CellBody>(settings);
  cell->set_name(snake_case(cell->class_name()));
  return cell;
}

}  // namespace plimsoll
