#include <memory>

#include "plimsoll/engine/passes/passes.h"

namespace plimsoll {

void prune(Program& program) {
  program.remove_dead();
  const std::vector<int> uses = program.use_counts();
  for (Instruction& instruction : program.instructions) {
    const size_t count = instruction.outputs.size();
    if (count < 2) continue;
    const auto used = std::make_unique<bool[]>(count);
    bool all = true;
    for (size_t i = 0; i < count; ++i)
      all &= used[i] = uses[static_cast<size_t>(instruction.outputs[i])] > 0;
    if (all) continue;
    OpPtr pruned = instruction.op->pruned({used.get(), count});
    if (pruned == nullptr) continue;
    instruction.op = std::move(pruned);
    for (size_t i = 0; i < count; ++i)
      if (!used[i]) program.values[static_cast<size_t>(instruction.outputs[i])].spec.shape = {0};
  }
}

}  // namespace plimsoll
