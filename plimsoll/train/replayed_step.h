// What a training step that was not finite computed, operation by operation.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/engine/numbers/first_bad.h"
#include "plimsoll/record/step_statistics.h"

namespace plimsoll {

struct ReplayedOperation {
  std::string op;           // "matmul"
  std::string gradient_of;  // the operation, in the backward pass
  std::string layer;
  Place where;
  std::vector<FiniteRange> inputs, outputs;
  std::vector<Histogram> histograms;  // of the finite numbers of each output
};

struct ReplayedStep {
  std::string cause;                          // as it was found
  std::vector<std::string> records;           // of the part
  std::vector<ReplayedOperation> operations;  // in the order they run
};

}  // namespace plimsoll
