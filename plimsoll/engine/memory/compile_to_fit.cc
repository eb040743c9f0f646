#include "plimsoll/engine/memory/compile_to_fit.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/memory/spill_file.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/tensor_growth.h"

namespace plimsoll {
namespace {

// So little comes out of the margin where the budget is what the machine leaves: a full machine
// does not end a program that adds two numbers.
constexpr int64_t kLittle = int64_t{1} << 20;

int64_t arena_now() {
  return Storage::footprint(Arena::shared()->bytes());
}

// The largest arena whose footprint is in `bytes`.
int64_t arena_within(int64_t bytes) {
  constexpr int64_t kPage = int64_t{2} << 20;
  return std::max<int64_t>(0, bytes < kPage ? bytes : bytes / kPage * kPage);
}

int64_t output_bytes(const CompiledStep& step) {
  int64_t bytes = 0;
  for (const int output : step.program().outputs)
    bytes += Storage::footprint(step.program().spec(output).bytes());
  return bytes;
}

// Variables that were only reserved will take their memory.
void touch_variables(const Program& program) {
  for (const auto& variable : program.variables)
    if (variable->storage.untouched_bytes() > 0) variable->storage.touch();
}

// All that a step may do to keep to an arena.
StepOptions saving(int64_t arena_bytes) {
  return {.arena_budget = arena_bytes, .keep_signs = true, .spill_folder = spill_folder()};
}

FittedStep compile(const StepGraph& graph, const MemoryBudget& budget, const StepOptions& options) {
  FittedStep found;
  found.step = std::make_unique<CompiledStep>(graph, options);
  touch_variables(found.step->program());
  const int64_t now = process_memory().resident_bytes, arena = arena_now();
  found.held_bytes = now - arena;
  found.needed_bytes = found.held_bytes + output_bytes(*found.step) +
                       std::max(arena, Storage::footprint(found.step->memory().arena_bytes));
  found.fits = found.needed_bytes <= budget.bytes ||
               (!budget.is_given && found.needed_bytes - now <= kLittle);
  return found;
}

// To a tenth of the arena.
int64_t smallest_arena(const StepGraph& graph, int64_t plain) {
  int64_t smallest = plain;
  for (int tenths = 9; tenths > 0; --tenths) {
    const int64_t budget = plain * tenths / 10;
    const CompiledStep step(graph, saving(budget));
    if (step.memory().arena_bytes > budget) break;
    smallest = step.memory().arena_bytes;
  }
  return smallest;
}

// What the step hands out: what was asked for, and what somebody holds that reads a variable which
// the step writes.
std::vector<LiveTensors> results_of(const StepGraph& graph) {
  std::map<std::pair<std::string, unsigned>, LiveTensors> lines;
  for (const Value& output : graph.outputs) {
    const Place& where = output.node->where;
    LiveTensors& line = lines[{where.file, where.line}];
    line = {where.file, where.line, line.count + 1,
            line.bytes + output.node->spec(output.output).bytes()};
  }
  std::vector<LiveTensors> results;
  for (const auto& [place, line] : lines) results.push_back(line);
  std::ranges::stable_sort(results, std::ranges::greater(), &LiveTensors::bytes);
  return results;
}

}  // namespace

FittedStep compile_to_fit(const StepGraph& graph, const MemoryBudget& budget) {
  // Compiling itself may leave the process a little larger than it was.
  constexpr int kAttempts = 5;
  FittedStep found = compile(graph, budget, {});
  // What is left beside what the process holds and the step's results.
  int64_t room = budget.bytes - found.held_bytes - output_bytes(*found.step);
  for (int i = 0; i < kAttempts && !found.fits; ++i) {
    found = {};
    room = arena_within(room);
    found = compile(graph, budget, saving(room));
    if (found.step->memory().arena_bytes > room) break;
    room -= found.needed_bytes - budget.bytes;
  }
  return found;
}

void refuse_step(const StepGraph& graph, const FittedStep& found, const MemoryBudget& budget) {
  const StepMemory& memory = found.step->memory();
  const int64_t arena = Storage::footprint(memory.arena_bytes);
  const int64_t saved = arena - Storage::footprint(smallest_arena(graph, memory.arena_bytes));
  std::string text = "step: with it this process takes " + format_bytes(found.needed_bytes) + " (" +
                     format_bytes(found.held_bytes) + " that it holds, " + format_bytes(arena) +
                     " to compute in" +
                     (memory.peak_op.empty() ? "" : ", fullest in " + memory.peak_op) + ", " +
                     format_bytes(output_bytes(*found.step)) + " for results), the budget is " +
                     budget.to_string();
  if (saved > 0)
    text +=
        "; saving what can be saved, it can be done in " + format_bytes(found.needed_bytes - saved);
  const int64_t worth_naming = found.needed_bytes / 1000;
  text += heaviest_lines(live_tensors(), "; tensors are held most by ", worth_naming);
  text += heaviest_lines(results_of(graph), "; the results are those of ", worth_naming);
  throw DoesNotFit(text +
                   "; let go of tensors, make the batch smaller, or allow more with "
                   "set_memory_limit");
}

}  // namespace plimsoll
