#include "plimsoll/ops/recurrent/recurrent.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/recurrent/recurrent_op.h"
#include "plimsoll/ops/recurrent/sequence_cut.h"

namespace plimsoll {
namespace {

using kernels::RecurrentForm;

// How many sets of factors there are; infer() looks at the rest of the shape.
int dropout_sets(const Tensor& factors, const RecurrentForm& form) {
  if (!factors.defined()) return 0;
  const int64_t sets = factors.rank() == 3 ? factors.shape()[1] : 0;
  if (sets != 1 && sets != form.gates())
    throw InvalidArgument(fmt::format("dropout: expected (batch, 1 or {}, width), found {}",
                                      form.gates(), factors.spec().to_string()));
  return static_cast<int>(sets);
}

RecurrentForm form_of(RecurrentCell cell, const RecurrentOptions& options) {
  RecurrentForm form = {.cell = cell,
                        .activation = options.activation,
                        .recurrent_activation = options.recurrent_activation,
                        .reset_after = options.reset_after,
                        .bias = options.bias.defined(),
                        .go_backwards = options.go_backwards,
                        .return_sequences = options.return_sequences,
                        .zero_output_for_mask = options.zero_output_for_mask,
                        .initial_state = !options.initial_state.empty(),
                        .mask = options.mask.defined(),
                        .previous_output = options.previous_output.defined()};
  form.input_dropouts = dropout_sets(options.input_dropout, form);
  form.recurrent_dropouts = dropout_sets(options.recurrent_dropout, form);
  const size_t states = form.is_lstm() ? 2 : 1;
  if (form.initial_state && options.initial_state.size() != states)
    throw InvalidArgument(fmt::format("initial state: expected {} tensors, found {}", states,
                                      options.initial_state.size()));
  if (!options.save_for_gradient) form.unused = RecurrentForm::kSaved;
  return form;
}

RecurrentResult record(RecurrentCell cell, const Operand& x, const Operand& kernel,
                       const Operand& recurrent_kernel, const RecurrentOptions& options) {
  const RecurrentForm form = form_of(cell, options);
  Tensors inputs = {x.tensor, kernel.tensor, recurrent_kernel.tensor};
  const auto add = [&](const Tensor& tensor) {
    if (tensor.defined()) inputs.push_back(tensor);
  };
  add(options.bias);
  for (const Tensor& state : options.initial_state) inputs.push_back(state);
  add(options.mask);
  add(options.previous_output);
  add(options.input_dropout);
  add(options.recurrent_dropout);
  const Tensors outputs = apply_all(std::make_shared<RecurrentOp>(form), inputs, x.where);
  RecurrentResult result = {outputs[kernels::kSequence], {outputs[kernels::kLastHidden]}};
  if (form.is_lstm()) result.state.push_back(outputs[kernels::kLastCell]);
  return result;
}

// Steps [begin, begin + count) of (batch, steps, …), in the order in which they are taken.
Tensor steps_of(const Tensor& x, int64_t begin, int64_t count, bool go_backwards) {
  std::vector<int64_t> from(static_cast<size_t>(x.rank()), 0), size(from.size(), -1);
  from[1] = go_backwards ? x.shape()[1] - begin - count : begin;
  size[1] = count;
  return slice(x, from, size);
}

// The same in parts of its steps, each of which continues from the end of the one before.
RecurrentResult record_in_parts(RecurrentCell cell, const Operand& x, const Operand& kernel,
                                const Operand& recurrent_kernel, const RecurrentOptions& options) {
  const int64_t steps = x.tensor.rank() == 3 ? x.tensor.shape()[1] : 1;
  const int parts = SequenceCut::parts_of(steps);
  if (parts == 1) return record(cell, x, kernel, recurrent_kernel, options);
  RecurrentOptions own = options;
  RecurrentResult result;
  Tensors outputs;
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t begin = steps * i / parts, count = steps * (i + 1) / parts - begin;
    if (options.mask.defined())
      own.mask = steps_of(options.mask, begin, count, options.go_backwards);
    result = record(cell, {steps_of(x.tensor, begin, count, options.go_backwards), x.where}, kernel,
                    recurrent_kernel, own);
    outputs.push_back(result.output);
    own.initial_state = result.state;
    if (options.mask.defined())
      own.previous_output = options.return_sequences
                                ? squeeze(steps_of(result.output, count - 1, 1, false), 1)
                                : result.output;
  }
  if (options.return_sequences) result.output = concatenate(outputs, 1, x.where);
  return result;
}

}  // namespace

RecurrentResult lstm(const Operand& x, const Operand& kernel, const Operand& recurrent_kernel,
                     const RecurrentOptions& options) {
  return record_in_parts(RecurrentCell::lstm, x, kernel, recurrent_kernel, options);
}

RecurrentResult gru(const Operand& x, const Operand& kernel, const Operand& recurrent_kernel,
                    const RecurrentOptions& options) {
  return record_in_parts(RecurrentCell::gru, x, kernel, recurrent_kernel, options);
}

RecurrentResult simple_rnn(const Operand& x, const Operand& kernel, const Operand& recurrent_kernel,
                           const RecurrentOptions& options) {
  return record_in_parts(RecurrentCell::simple, x, kernel, recurrent_kernel, options);
}

}  // namespace plimsoll
