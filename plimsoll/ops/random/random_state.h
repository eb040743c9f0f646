// What the ops that draw random numbers share.
#pragma once

#include "plimsoll/graph/reference.h"
#include "plimsoll/kernels/random/random_words.h"
#include "plimsoll/ops/random/random.h"

namespace plimsoll {

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
