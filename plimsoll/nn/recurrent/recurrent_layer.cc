#include "plimsoll/nn/recurrent/recurrent_layer.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/shapes_only.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {

RecurrentLayer::RecurrentLayer(const RecurrentFlags& flags, const std::shared_ptr<LayerBody>& cell)
    : flags_(flags), cell_(std::dynamic_pointer_cast<SequenceCell>(cell)) {
  if (cell_ == nullptr)
    throw InvalidArgument(
        "RNN: expected a cell (GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells), found " +
        (cell == nullptr ? std::string("none") : std::string(cell->class_name())));
}

void RecurrentLayer::check(const Specs& inputs) const {
  const Shape& shape = inputs[0].shape;
  if (shape.rank() != cell_->step_rank() + 1)
    refuse(fmt::format("expected an input of rank {}, (batch, steps, {}), found {}",
                       cell_->step_rank() + 1, cell_->step_axes(), shape.to_string()));
  if (!built()) return;
  if (shape.back() != cell_->features())
    refuse(fmt::format("input has {} features, kernel expects {} (found shape {})", shape.back(),
                       cell_->features(), shape.to_string()));
}

// The cell is built by calling it once, on a step of which nothing is computed.
void RecurrentLayer::build(const Specs& inputs) {
  const ShapesOnly only;
  (*cell_)({placeholder({DType::float32, inputs[0].shape.without(1)})}, {});
}

Tensors RecurrentLayer::call(const Tensors& inputs, const CallContext& context) {
  const Tensor x = as_float(inputs[0]);
  SequenceCall call = {.go_backwards = flags_.go_backwards,
                       .return_sequences = flags_.return_sequences,
                       .zero_output_for_mask = flags_.zero_output_for_mask,
                       .is_training = context.is_training,
                       .mask = context.mask,
                       .initial_state = initial_state(context, x.shape().without(1))};
  if (call.mask.defined() && call.mask.dtype() != DType::boolean)
    call.mask = cast(call.mask, DType::boolean);
  RecurrentResult result = cell_->run(x, call);
  if (flags_.stateful) keep_state(result.state);
  Tensors outputs = {result.output};
  if (flags_.return_state) outputs.insert(outputs.end(), result.state.begin(), result.state.end());
  return outputs;
}

Tensors RecurrentLayer::initial_state(const CallContext& context, const Shape& step) {
  const std::vector<int64_t> sizes = cell_->state_sizes();
  const int64_t batch = step[0];
  if (!context.initial_state.empty() && context.initial_state.size() != sizes.size())
    refuse(fmt::format("expected an initial state of {} tensors, found {}", sizes.size(),
                       context.initial_state.size()));
  if (!flags_.stateful || ShapesOnly::is_open()) return context.initial_state;
  if (state_.empty())
    for (size_t i = 0; i < sizes.size(); ++i)
      state_.emplace_back(name() + "/state", Spec{DType::float32, cell_->state_shape(step, i)},
                          false);
  if (state_[0].shape()[0] != batch)
    refuse(
        fmt::format("is stateful and began with a batch of {}, found one of {}; use a number of "
                    "samples that the batch size divides",
                    state_[0].shape()[0], batch));
  if (!context.initial_state.empty()) return context.initial_state;
  Tensors state;
  for (const Variable& variable : state_) state.push_back(variable.value());
  return state;
}

// No gradient flows from one batch to the one before it.
void RecurrentLayer::keep_state(const Tensors& state) {
  if (ShapesOnly::is_open()) return;
  for (size_t i = 0; i < state_.size(); ++i) state_[i].assign(stop_gradient(state[i]));
}

void RecurrentLayer::reset_state() {
  for (Variable& variable : state_)
    variable.set(std::vector<float>(static_cast<size_t>(variable.shape().elements()), 0.0f));
}

Tensors RecurrentLayer::output_masks(const Tensors&, const Tensors& outputs,
                                     const Tensors& masks) const {
  Tensors passed(outputs.size());
  if (flags_.return_sequences) passed[0] = masks[0];
  return passed;
}

Variables recurrent_states(const LayerBody& body) {
  Variables states;
  if (const auto* recurrent = dynamic_cast<const RecurrentLayer*>(&body))
    states = recurrent->state();
  for (const auto& child : body.children())
    for (const Variable& state : recurrent_states(*child.layer)) states.push_back(state);
  return states;
}

void reset_state(const Layer& layer) {
  const auto visit = [](const auto& self, LayerBody& body) -> void {
    if (auto* recurrent = dynamic_cast<RecurrentLayer*>(&body)) recurrent->reset_state();
    for (const auto& child : body.children()) self(self, *child.layer);
  };
  visit(visit, *layer);
}

}  // namespace plimsoll
