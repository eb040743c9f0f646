#include "plimsoll/ops/recurrent/recurrent_op.h"

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/kernels/recurrent/recurrent.h"
#include "plimsoll/ops/recurrent/recurrent_reference.h"

namespace plimsoll {
namespace {

using kernels::RecurrentCell;
using kernels::RecurrentForm;
using kernels::RecurrentInputs;

const Spec kNothing = {DType::float32, {0}};

void expect(const char* what, const Spec& found, const Spec& expected) {
  if (found != expected)
    throw InvalidArgument(std::string(what) + " must be " + expected.to_string() + ", found " +
                          found.to_string());
}

void expect_rank(const char* what, const Spec& found, int rank, const char* axes) {
  if (found.dtype != DType::float32 || found.shape.rank() != rank)
    throw InvalidArgument(std::string(what) + " must be float32 " + axes + ", found " +
                          found.to_string());
}

void expect_optional(const RecurrentForm& form, const RecurrentInputs& slots,
                     const RecurrentSpecs& specs, std::span<const Spec> in) {
  const auto check = [&](const char* what, int slot, const Spec& expected) {
    if (slot >= 0) expect(what, in[static_cast<size_t>(slot)], expected);
  };
  const auto& [batch, steps, features, units] = specs.sizes;
  check("the bias", slots.bias, specs.bias);
  check("the initial state", slots.hidden, specs.state);
  check("the initial cell state", slots.cell, specs.state);
  check("the mask", slots.mask, {DType::boolean, {batch, steps}});
  check("the previous output", slots.previous_output, specs.state);
  check("the input's dropout", slots.input_dropout,
        {DType::float32, {batch, form.input_dropouts, features}});
  check("the recurrent dropout", slots.recurrent_dropout,
        {DType::float32, {batch, form.recurrent_dropouts, units}});
}

}  // namespace

RecurrentSpecs::RecurrentSpecs(const RecurrentForm& form, std::span<const Spec> in) {
  expect_rank("x", in[0], 3, "(batch, steps, features)");
  expect_rank("the kernel", in[1], 2, "(features, gates * units)");
  expect_rank("the recurrent kernel", in[2], 2, "(units, gates * units)");
  const int64_t batch = in[0].shape[0], steps = in[0].shape[1];
  const int64_t features = in[0].shape[2], units = in[2].shape[0];
  const auto float32 = [](Shape shape) { return Spec{DType::float32, shape}; };
  sizes = {batch, steps, features, units};
  x = in[0];
  kernel = float32({features, form.gates() * units});
  recurrent_kernel = float32({units, form.gates() * units});
  expect("the kernel", in[1], kernel);
  expect("the recurrent kernel", in[2], recurrent_kernel);
  const bool two_biases = form.is_gru() && form.reset_after;
  bias = two_biases ? float32({2, 3 * units}) : float32({form.gates() * units});
  state = float32({batch, units});
  sequence = form.return_sequences ? float32({batch, steps, units}) : state;
  gates = float32({steps, batch, form.columns() * units});
  cells = float32({steps, batch, units});
  hiddens = float32({batch, steps, units});
}

double RecurrentSpecs::operations() const {
  const auto products = static_cast<double>(kernel.shape.elements()) +
                        static_cast<double>(recurrent_kernel.shape.elements());
  return 2.0 * static_cast<double>(sizes.batch * sizes.steps) * products;
}

double RecurrentOp::operations(std::span<const Spec> in, std::span<const Spec>) const {
  return RecurrentSpecs(form_, in).operations();
}

void describe(Attributes& to, const RecurrentForm& form) {
  const RecurrentForm usual;
  const auto& [cell, activation, recurrent_activation, reset_after, bias, go_backwards,
               return_sequences, zero_output_for_mask, initial_state, mask, previous_output,
               input_dropouts, recurrent_dropouts, unused] = form;  // the name says the cell
  to.with("activation", activation, usual.activation)
      .with("recurrent_activation", recurrent_activation, usual.recurrent_activation)
      .with("reset_after", reset_after, usual.reset_after)
      .with("use_bias", bias, usual.bias)
      .with("go_backwards", go_backwards, usual.go_backwards)
      .with("return_sequences", return_sequences, usual.return_sequences)
      .with("zero_output_for_mask", zero_output_for_mask, usual.zero_output_for_mask)
      .with("initial_state", initial_state, usual.initial_state)
      .with("mask", mask, usual.mask)
      .with("previous_output", previous_output, usual.previous_output)
      .with("input_dropouts", input_dropouts, usual.input_dropouts)
      .with("recurrent_dropouts", recurrent_dropouts, usual.recurrent_dropouts)
      .with("unused", unused, usual.unused);
}

std::string_view RecurrentOp::name() const {
  return form_.is_lstm() ? "lstm" : form_.is_gru() ? "gru" : "simple_rnn";
}

void RecurrentOp::describe(Attributes& to) const {
  const auto& [form] = *this;
  plimsoll::describe(to, form);
}

Specs RecurrentOp::infer(std::span<const Spec> in) const {
  const RecurrentSpecs specs(form_, in);
  expect_optional(form_, RecurrentInputs(form_), specs, in);
  Specs outputs = {specs.sequence, specs.state, specs.state,
                   specs.gates,    specs.cells, specs.hiddens};
  for (int o = 0; o < kernels::kRecurrentOutputs; ++o)
    if (!form_.uses(o)) outputs[static_cast<size_t>(o)] = kNothing;
  return outputs;
}

// The outputs, including those that the gradient reads; they are computed again if they were not
// saved.
Tensors RecurrentOp::saved_outputs(const Node& node) const {
  Tensors outputs;
  if (form_.uses(kernels::kGates)) {
    for (int o = 0; o < kernels::kRecurrentOutputs; ++o) outputs.push_back(node.output(o));
    return outputs;
  }
  RecurrentForm form = form_;
  form.unused &= ~RecurrentForm::kSaved;
  Tensors inputs;
  for (const Value& input : node.inputs) inputs.push_back(Tensor(input));
  return apply_all(std::make_shared<RecurrentOp>(form), inputs, node.where);
}

Tensors RecurrentOp::gradient(const Node& node, const Tensors& output_gradients) const {
  using namespace kernels;
  const RecurrentFlow flow = {
      .sequence = output_gradients[kSequence].defined(),
      .last_hidden = output_gradients[kLastHidden].defined(),
      .last_cell = form_.is_lstm() && output_gradients[kLastCell].defined()};
  const RecurrentInputs from(form_);
  const RecurrentGradientInputs to(form_, flow);
  Tensors inputs(static_cast<size_t>(to.count)), answers(static_cast<size_t>(from.count));
  const auto give = [&](int slot, const Tensor& tensor) {
    if (slot >= 0) inputs[static_cast<size_t>(slot)] = tensor;
  };
  const auto pass = [&](int slot, int source) {
    if (slot >= 0) give(slot, node.input(source));
  };
  for (int i = 0; i < 3; ++i) give(i, node.input(i));
  pass(to.hidden, from.hidden);
  pass(to.cell, from.cell);
  pass(to.mask, from.mask);
  pass(to.input_dropout, from.input_dropout);
  pass(to.recurrent_dropout, from.recurrent_dropout);
  const Tensors saved = saved_outputs(node);
  give(to.gates, saved[kGates]);
  give(to.cells, saved[kCells]);
  give(to.hiddens, saved[form_.sequence_is_hiddens() ? kSequence : kHiddens]);
  give(to.sequence_gradient, output_gradients[kSequence]);
  give(to.last_hidden_gradient, output_gradients[kLastHidden]);
  give(to.last_cell_gradient, output_gradients[kLastCell]);

  RecurrentForm form = form_;
  form.unused = 0;
  const Tensors gradients =
      apply_all(std::make_shared<RecurrentGradientOp>(form, flow), inputs, node.where);
  const auto answer = [&](int slot, int gradient) {
    if (slot >= 0) answers[static_cast<size_t>(slot)] = gradients[static_cast<size_t>(gradient)];
  };
  answer(from.x, kInputGradient);
  answer(from.kernel, kKernelGradient);
  answer(from.recurrent_kernel, kRecurrentKernelGradient);
  answer(from.bias, kBiasGradient);
  answer(from.hidden, kInitialHiddenGradient);
  answer(from.cell, kInitialCellGradient);
  answer(from.previous_output, kPreviousOutputGradient);
  return answers;
}

OpPtr RecurrentOp::pruned(std::span<const bool> used) const {
  RecurrentForm form = form_;
  for (size_t o = 0; o < used.size(); ++o)
    if (!used[o]) form.unused |= 1u << o;
  return std::make_shared<RecurrentOp>(form);
}

KernelPtr RecurrentOp::kernel(const KernelRequest& request) const {
  return kernels::make_recurrent(request, form_);
}

Arrays RecurrentOp::reference(std::span<const Array> in) const {
  Specs specs;
  for (const Array& array : in) specs.push_back(array.spec);
  Arrays outputs;
  for (const Spec& spec : infer(specs)) outputs.emplace_back(spec);
  return recurrent_reference(form_, in, std::move(outputs));
}

}  // namespace plimsoll
