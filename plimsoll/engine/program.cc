#include "plimsoll/engine/program.h"

#include <algorithm>

namespace plimsoll {

int Program::add_value(ProgramValue value) {
  values.push_back(std::move(value));
  return static_cast<int>(values.size()) - 1;
}

std::vector<int> Program::makers() const {
  std::vector<int> makers(values.size(), -1);
  for (size_t i = 0; i < instructions.size(); ++i)
    for (int output : instructions[i].outputs)
      makers[static_cast<size_t>(output)] = static_cast<int>(i);
  return makers;
}

std::vector<int> Program::use_counts() const {
  std::vector<int> counts(values.size(), 0);
  for (const Instruction& instruction : instructions)
    for (int input : instruction.inputs) ++counts[static_cast<size_t>(input)];
  for (int output : outputs) ++counts[static_cast<size_t>(output)];
  for (const VariableWrite& write : writes) ++counts[static_cast<size_t>(write.value)];
  return counts;
}

void Program::replace_uses(int from, int to) {
  for (Instruction& instruction : instructions)
    std::replace(instruction.inputs.begin(), instruction.inputs.end(), from, to);
  std::replace(outputs.begin(), outputs.end(), from, to);
  for (VariableWrite& write : writes)
    if (write.value == from) write.value = to;
}

void Program::remove_dead() {
  std::vector<int> uses = use_counts();
  std::vector<Instruction> kept;
  for (auto it = instructions.rbegin(); it != instructions.rend(); ++it) {
    const bool used = std::any_of(it->outputs.begin(), it->outputs.end(),
                                  [&](int v) { return uses[static_cast<size_t>(v)] > 0; });
    if (used)
      kept.push_back(std::move(*it));
    else
      for (int input : it->inputs) --uses[static_cast<size_t>(input)];
  }
  std::reverse(kept.begin(), kept.end());
  instructions = std::move(kept);
}

}  // namespace plimsoll
