// The passes that rewrite a program between lowering and compilation, in the order they run. Each
// has a name, is timed, and can be switched off by it (unless the program would not run without).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/engine/program.h"

namespace plimsoll {

struct Pass {
  std::string_view name;
  void (*run)(Program&) = nullptr;
  bool required = false;
  bool replaces = false;  // operations by others that do the same
};

std::span<const Pass> passes();

struct PassTime {
  std::string_view name;
  double seconds = 0;
};

// Runs all passes but those named in `disabled`; InvalidArgument lists the known names where one is
// unknown or required.
std::vector<PassTime> run_passes(Program& program, std::span<const std::string> disabled);

// The passes that replace operations: without them a program has those that were recorded.
std::vector<std::string> replacing_passes();

// The comma-separated names in the environment variable PLIMSOLL_DISABLE_PASSES.
std::vector<std::string> disabled_passes();

// Drops values that are not read, and outputs of ops that can do without them.
void prune(Program& program);
// Splits a normalisation over the batch in two, so that only its second pass is computed again.
void split_normalization(Program& program);
// Joins a matmul with its bias, and a product, convolution or normalisation with its relu.
void fuse_epilogues(Program& program);
// Joins conv2d, relu and max_pool2d, and their gradients.
void fuse_convolution_pooling(Program& program);
// Joins chains of elementwise ops.
void fuse_elementwise(Program& program);
// Gives every value a layout and puts reorders where layouts meet.
void assign_layouts(Program& program);
// Keeps one bit per element of what a relu made, where only its gradient reads it later. Only for
// programs with keeps_signs.
void keep_signs(Program& program);
// Gives each tensor of a gate a gate of its own; in a program that updates early.
void split_gates(Program& program);
// Decides how outputs and variables are written: in place where that is safe, else by a copy.
void place_results(Program& program);

}  // namespace plimsoll
