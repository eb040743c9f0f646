// Which instructions of a compiled step make the outputs of the layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/engine/program.h"

namespace plimsoll {

struct LayerOutput {
  std::string layer;   // from the network on: "encoder/dense_1"
  size_t instruction;  // in the program; its first output is the layer's
};

// One for each scope within `network` that makes float32 numbers for others, in the order they run.
// A layer whose work another one's instruction does (an Activation that became part of a
// convolution), or whose output is only another view of its input, has none.
std::vector<LayerOutput> layer_outputs(const Program& program, std::string_view network);

// True if the instruction computes the relu too.
bool has_relu(const Instruction& instruction);
// True if it is a product or a convolution and applies no activation: of an output layer whose loss
// takes logits, nothing else may be computed.
bool is_linear(const Instruction& instruction);

}  // namespace plimsoll
