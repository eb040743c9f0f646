#include "plimsoll/ops/random/random_state.h"

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"

namespace plimsoll {

Tensors state_inputs(const RandomState& state) {
  Tensors inputs = {state.seed, state.step};
  if (state.first_sample.defined()) inputs.push_back(state.first_sample);
  return inputs;
}

RandomState state_of(const Node& node, int first, uint64_t stream) {
  const bool has_first_sample = static_cast<int>(node.inputs.size()) == first + 3;
  return {node.input(first), node.input(first + 1), stream,
          has_first_sample ? node.input(first + 2) : Tensor()};
}

void expect_state(std::span<const Spec> in, size_t first) {
  if (in.size() != first + 2 && in.size() != first + 3)
    throw InvalidArgument("expected seed, step and at most the first sample's position");
  for (const Spec& spec : in.subspan(first))
    if (spec.dtype != DType::int64 || spec.shape.rank() != 0)
      throw InvalidArgument("expected a random state of int64 scalars, found " + spec.to_string());
}

uint32_t word_of(int64_t index, const Shape& shape, const kernels::Draw& draw) {
  const int64_t row_elements = shape.rank() == 0 ? 1 : shape.elements(1, shape.rank());
  const int64_t row = index / row_elements, element = index % row_elements;
  return draw.words(static_cast<uint32_t>(row),
                    static_cast<uint32_t>(element / 4))[static_cast<size_t>(element % 4)];
}

kernels::Draw draw_of(std::span<const Array> state, uint64_t stream) {
  const auto number = [&](size_t i) { return static_cast<int64_t>(state[i][0]); };
  return kernels::Draw::of(number(0), number(1), state.size() > 2 ? number(2) : 0, stream);
}

}  // namespace plimsoll
