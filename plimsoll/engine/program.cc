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

std::vector<int> Program::readers_before(const VariableWrite& write) const {
  const int read = variable_values[static_cast<size_t>(write.variable)];
  std::vector<bool> is_it(values.size());  // the variable's old value, or a view of it
  if (read >= 0) is_it[static_cast<size_t>(read)] = true;
  std::vector<int> readers;
  for (int i = 0; i < static_cast<int>(instructions.size()); ++i) {
    const Instruction& it = instructions[static_cast<size_t>(i)];
    const bool reads =
        std::ranges::any_of(it.inputs, [&](int v) { return is_it[static_cast<size_t>(v)]; });
    if (!reads) continue;
    if (it.op->is_view()) is_it[static_cast<size_t>(it.outputs[0])] = true;
    if (std::ranges::find(it.outputs, write.value) == it.outputs.end()) readers.push_back(i);
  }
  return readers;
}

}  // namespace plimsoll
