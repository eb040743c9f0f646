#include "plimsoll/engine/memory/hold_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/memory/hold_to_budget.h"
#include "plimsoll/engine/memory/spill_file.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/tensor_growth.h"

namespace plimsoll {
namespace {

// So little comes out of the margin where the budget is what the machine leaves: a full machine
// does not end a program that adds two numbers.
constexpr int64_t kLittle = int64_t{1} << 20;

// What a step takes besides when it first runs, 0.3 MiB as measured: kernels that were never called
// are paged in, and threads go deeper into their stacks.
constexpr int64_t kFirstRun = int64_t{1} << 20;

int64_t arena_now() {
  return Storage::footprint(Arena::shared()->bytes());
}

int64_t output_bytes(const CompiledStep& step) {
  int64_t bytes = 0;
  for (const int output : step.program().outputs)
    bytes += Storage::footprint(step.program().spec(output).bytes());
  return bytes;
}

// Variables that were only reserved will take their memory.
void touch_variables(const Program& program) {
  for (const auto& variable : program.variables) variable->storage.touch();
}

// The graph is recorded already, so neither its batch nor its sequences can be parted.
class StepCandidates final : public Candidates {
 public:
  StepCandidates(const StepGraph& graph, const MemoryBudget& budget)
      : graph_(graph), budget_(budget) {}

  SavingWays ways() const override { return {}; }

  Trial compile(const Saving& saving) override {
    found_ = {};
    const bool is_small = saving.smallest || saving.arena_budget;
    found_.step = std::make_unique<CompiledStep>(
        graph_, StepOptions{.arena_budget = saving.arena_budget,
                            .smallest = saving.smallest,
                            .quick = saving.quick,
                            .keep_signs = is_small,
                            .recompute = saving.recompute,
                            .spill_folder = saving.spill ? spill_folder() : ""});
    touch_variables(found_.step->program());
    const int64_t now = process_memory().resident_bytes, arena = arena_now();
    const int64_t outputs = output_bytes(*found_.step);
    const StepMemory& memory = found_.step->memory();
    found_.held_bytes = now - arena;
    const int64_t rest = found_.held_bytes + outputs + kFirstRun;
    found_.needed_bytes = rest + std::max(arena, Storage::footprint(memory.arena_bytes));
    const bool is_little = !budget_.is_given && found_.needed_bytes - now <= kFirstRun + kLittle;
    return {.peak_bytes =
                is_little ? std::min(found_.needed_bytes, budget_.bytes) : found_.needed_bytes,
            .rest_bytes = rest,
            .arena_bytes = memory.arena_bytes,
            .seconds = memory.seconds,
            .spilled_bytes = memory.saving.spilled_bytes};
  }

  HeldStep take() { return std::move(found_); }

 private:
  const StepGraph& graph_;
  const MemoryBudget& budget_;
  HeldStep found_;
};

// What the step hands out: what was asked for, and tensors with handles that read a variable which
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

HeldStep hold_step(const StepGraph& graph, const MemoryBudget& budget) {
  StepCandidates candidates(graph, budget);
  const Held held = hold_to_budget(candidates, budget.bytes);
  HeldStep found = candidates.take();
  found.is_within = held.is_within;
  return found;
}

void refuse_step(const StepGraph& graph, const HeldStep& found, const MemoryBudget& budget) {
  const StepMemory& memory = found.step->memory();
  const int64_t arena = Storage::footprint(memory.arena_bytes);
  StepCandidates candidates(graph, budget);
  // The step that was found may be the smallest already.
  const int64_t least = std::min(least_peak(candidates), found.needed_bytes);
  const std::string fullest =
      memory.peak_op.empty() ? "" : fmt::format(", fullest in {}", memory.peak_op);
  const int64_t worth_naming = found.needed_bytes / 1000;
  throw DoesNotFit(fmt::format(
      "step: with it this process takes {} ({} that it holds, {} to compute in{}, {} for results, "
      "{} for code and stacks), the budget is {}; saving what can be saved, it can be done in "
      "{}{}{}; let go of tensors, make the batch smaller, or allow more with set_memory_limit",
      format_bytes(found.needed_bytes), format_bytes(found.held_bytes), format_bytes(arena),
      fullest, format_bytes(output_bytes(*found.step)), format_bytes(kFirstRun), budget.to_string(),
      format_bytes(least),
      heaviest_lines(live_tensors(), "; tensors are held most by ", worth_naming),
      heaviest_lines(results_of(graph), "; the results are those of ", worth_naming)));
}

}  // namespace plimsoll
