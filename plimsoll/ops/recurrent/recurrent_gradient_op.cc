#include "plimsoll/base/error.h"
#include "plimsoll/kernels/recurrent/recurrent.h"
#include "plimsoll/ops/recurrent/recurrent_op.h"
#include "plimsoll/ops/recurrent/recurrent_reference.h"

namespace plimsoll {

using namespace kernels;

std::string_view RecurrentGradientOp::name() const {
  return form_.is_lstm()  ? "lstm_gradient"
         : form_.is_gru() ? "gru_gradient"
                          : "simple_rnn_gradient";
}

void RecurrentGradientOp::describe(Attributes& to) const {
  const auto& [form, flow] = *this;
  const auto& [sequence, last_hidden, last_cell] = flow;
  plimsoll::describe(to, form);
  to.with("sequence", sequence).with("last_hidden", last_hidden).with("last_cell", last_cell);
}

Specs RecurrentGradientOp::infer(std::span<const Spec> in) const {
  const RecurrentSpecs specs(form_, in);
  const RecurrentGradientInputs slots(form_, flow_);
  const auto check = [&](const char* what, int slot, const Spec& expected) {
    if (slot >= 0 && in[static_cast<size_t>(slot)] != expected)
      throw InvalidArgument(std::string(what) + " must be " + expected.to_string() + ", found " +
                            in[static_cast<size_t>(slot)].to_string());
  };
  check("the gates", slots.gates, specs.gates);
  check("the cells", slots.cells, specs.cells);
  check("the states", slots.hiddens, specs.hiddens);
  check("the output's gradient", slots.sequence_gradient, specs.sequence);
  check("the state's gradient", slots.last_hidden_gradient, specs.state);
  check("the cell's gradient", slots.last_cell_gradient, specs.state);
  Specs outputs = {specs.x,     specs.kernel, specs.recurrent_kernel, specs.bias, specs.state,
                   specs.state, specs.state};
  for (int o = 0; o < kRecurrentGradients; ++o)
    if (!form_.uses(o)) outputs[static_cast<size_t>(o)] = {DType::float32, {0}};
  return outputs;
}

OpPtr RecurrentGradientOp::pruned(std::span<const bool> used) const {
  RecurrentForm form = form_;
  for (size_t o = 0; o < used.size(); ++o)
    if (!used[o]) form.unused |= 1u << o;
  return std::make_shared<RecurrentGradientOp>(form, flow_);
}

double RecurrentGradientOp::operations(std::span<const Spec> in, std::span<const Spec>) const {
  return 2 * RecurrentSpecs(form_, in).operations();
}

KernelPtr RecurrentGradientOp::kernel(const KernelRequest& request) const {
  return make_recurrent_gradient(request, form_, flow_);
}

Arrays RecurrentGradientOp::reference(std::span<const Array> in) const {
  Specs specs;
  for (const Array& array : in) specs.push_back(array.spec);
  Arrays outputs;
  for (const Spec& spec : infer(specs)) outputs.emplace_back(spec);
  return recurrent_gradient_reference(form_, flow_, in, std::move(outputs));
}

}  // namespace plimsoll
