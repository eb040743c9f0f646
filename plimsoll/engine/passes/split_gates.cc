#include <algorithm>
#include <utility>
#include <vector>

#include "plimsoll/engine/passes/passes.h"

namespace plimsoll {
namespace {

// One instruction and one gate per tensor, so that none waits for the others.
std::vector<Instruction> one_each(Program& program, const Instruction& all,
                                  std::vector<int>& gates) {
  std::vector<Instruction> each;
  for (const int input : all.inputs) {
    const int gate = program.add_value({program.spec(all.outputs[0])});
    gates.push_back(gate);
    Instruction one = all;
    one.inputs = {input};
    one.outputs = {gate};
    each.push_back(std::move(one));
  }
  return each;
}

}  // namespace

void split_gates(Program& program) {
  if (!program.updates_early) return;
  std::vector<Instruction> instructions;
  std::vector<int> gates(program.outputs.end() - program.gate_count, program.outputs.end());
  program.outputs.resize(program.outputs.size() - gates.size());
  for (Instruction& it : program.instructions) {
    const auto gate = std::ranges::find(gates, it.outputs.empty() ? -1 : it.outputs[0]);
    if (it.op->name() != "all_finite" || it.inputs.size() < 2 || gate == gates.end()) {
      instructions.push_back(std::move(it));
      continue;
    }
    gates.erase(gate);
    std::vector<Instruction> each = one_each(program, it, gates);
    std::ranges::move(each, std::back_inserter(instructions));
  }
  program.instructions = std::move(instructions);
  program.outputs.insert(program.outputs.end(), gates.begin(), gates.end());
  program.gate_count = static_cast<int>(gates.size());
}

}  // namespace plimsoll
