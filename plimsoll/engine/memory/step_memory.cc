#include "plimsoll/engine/memory/step_memory.h"

#include <algorithm>

namespace plimsoll {
namespace {

LayerMemory& row_of(std::vector<LayerMemory>& rows, const std::string* scope) {
  const std::string name = scope == nullptr || scope->empty() ? "(step)" : *scope;
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const LayerMemory& row) { return row.layer == name; });
  if (found != rows.end()) return *found;
  rows.push_back({.layer = name});
  return rows.back();
}

// When each value is made and last read, as positions in the order.
struct Life {
  int first = -1;
  int last = -1;
};

std::vector<Life> lives(const plan::StepProblem& problem, const plan::StepPlan& plan) {
  const std::vector<int32_t> owners = plan::storage_owners(problem);
  std::vector<Life> lives(problem.values.size());
  for (size_t at = 0; at < plan.order.size(); ++at) {
    const plan::Task& task = problem.tasks[static_cast<size_t>(plan.order[at])];
    const auto touch = [&](int32_t value) {
      Life& life = lives[static_cast<size_t>(owners[static_cast<size_t>(value)])];
      if (life.first < 0) life.first = static_cast<int>(at);
      life.last = static_cast<int>(at);
    };
    for (int32_t value : task.inputs) touch(value);
    for (int32_t value : task.outputs) touch(value);
  }
  return lives;
}

}  // namespace

StepMemory measure_step(const Program& program, const plan::StepProblem& problem,
                        const plan::StepPlan& plan) {
  StepMemory memory;
  memory.arena_bytes = plan.arena_bytes;
  memory.lower_bound_bytes = plan.max_live_bytes;
  for (const auto& variable : program.variables) memory.variable_bytes += variable->storage.bytes();
  for (int output : program.outputs) memory.output_bytes += program.spec(output).bytes();
  for (int input : program.inputs)
    if (input >= 0) memory.input_bytes += program.spec(input).bytes();
  for (const StoragePtr& data : program.constant_data) memory.constant_bytes += data->bytes();

  for (const plan::Task& task : problem.tasks) memory.seconds += task.seconds;

  const std::vector<Life> value_lives = lives(problem, plan);
  const auto peak = std::find(plan.order.begin(), plan.order.end(), plan.peak_task);
  const int peak_at = static_cast<int>(peak - plan.order.begin());
  for (int32_t index : plan.order) {
    const Instruction& instruction = program.instructions[static_cast<size_t>(index)];
    LayerMemory& row = row_of(memory.layers, instruction.scope);
    row.scratch_bytes =
        std::max(row.scratch_bytes, problem.tasks[static_cast<size_t>(index)].scratch_bytes);
    if (instruction.op->is_view()) continue;
    for (int output : instruction.outputs) {
      if (problem.values[static_cast<size_t>(output)].external) continue;
      const int64_t bytes = problem.values[static_cast<size_t>(output)].bytes;
      const Life& life = value_lives[static_cast<size_t>(output)];
      row.value_bytes += bytes;
      if (life.first <= peak_at && peak_at <= life.last) row.live_at_peak += bytes;
    }
  }
  if (plan.peak_task >= 0) {
    const Instruction& at = program.instructions[static_cast<size_t>(plan.peak_task)];
    memory.peak_layer = at.scope == nullptr ? "" : *at.scope;
    memory.peak_op = at.op->name();
  }
  return memory;
}

}  // namespace plimsoll
