// The state that random numbers are drawn from, as a caller gives it and as inputs of an op.
#pragma once

#include "plimsoll/graph/reference.h"
#include "plimsoll/graph/tensor.h"
#include "plimsoll/kernels/random/random_words.h"

namespace plimsoll {

struct RandomState {
  Tensor seed;               // int64 scalar
  Tensor step;               // int64 scalar: the number of the training step
  uint64_t stream = 0;       // the call that draws: stream_id(layer path, call number)
  Tensor first_sample = {};  // int64 scalar: the position of row 0 in the whole batch; undefined: 0
};

// The state as trailing inputs of an op: seed, step and perhaps the first sample's position.
Tensors state_inputs(const RandomState& state);
// The other way round, from inputs [first, …) of a node.
RandomState state_of(const Node& node, int first, uint64_t stream);

// InvalidArgument unless inputs [first, …) are such a state.
void expect_state(std::span<const Spec> in, size_t first);

// For references: the random word of element `index` (row-major) of a tensor of `shape`.
uint32_t word_of(int64_t index, const Shape& shape, const kernels::Draw& draw);
kernels::Draw draw_of(std::span<const Array> state, uint64_t stream);

}  // namespace plimsoll
