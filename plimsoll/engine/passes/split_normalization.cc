#include <utility>
#include <vector>

#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/ops/normalization/normalization_parts.h"

namespace plimsoll {

void split_normalization(Program& program) {
  std::vector<Instruction> all;
  for (Instruction& it : program.instructions) {
    const auto epsilon = batch_normalize_epsilon(*it.op);
    if (!epsilon) {
      all.push_back(std::move(it));
      continue;
    }
    const int x = it.inputs[0], y = it.outputs[0], mean = it.outputs[1], variance = it.outputs[2];
    Instruction moments = it, apply = it;
    moments.op = batch_moments_op();
    moments.inputs = {x};
    moments.outputs = {mean, variance};
    apply.op = batch_apply_op(*epsilon, false);
    apply.inputs = {x, it.inputs[1], it.inputs[2], mean, variance};
    apply.outputs = {y};
    all.push_back(std::move(moments));
    all.push_back(std::move(apply));
  }
  program.instructions = std::move(all);
}

}  // namespace plimsoll
