#include "plimsoll/train/memory/plan_memory.h"

#include <algorithm>

#include "plimsoll/base/process_memory.h"
#include "plimsoll/train/memory/plan_layers.h"

namespace plimsoll {
namespace {

int64_t bytes_of(const Variables& variables) {
  int64_t bytes = 0;
  for (const Variable& variable : variables) bytes += variable.spec().bytes();
  return bytes;
}

// Memory that is only reserved yet, and will be taken when the run writes it.
int64_t untouched_bytes(const Variables& variables) {
  int64_t bytes = 0;
  for (const Variable& variable : variables) bytes += variable.state()->storage.untouched_bytes();
  return bytes;
}

// Every step that a batch runs.
std::vector<const CompiledStep*> steps_of(const BatchStep& batch) {
  std::vector<const CompiledStep*> steps;
  for (const StepPtr& step : {batch.parts.large, batch.parts.small, batch.divisors.large,
                              batch.divisors.small, batch.end})
    if (step != nullptr) steps.push_back(step.get());
  return steps;
}

void add_arena(MemoryPlan& plan, const PlannedStep& planned, const std::string& root) {
  for (const CompiledStep* step : steps_of(*planned.step)) {
    const StepMemory& memory = step->memory();
    if (memory.arena_bytes < plan.arena_bytes) continue;
    plan.arena_bytes = memory.arena_bytes;
    plan.lower_bound_bytes = memory.lower_bound_bytes;
    plan.peak_phase = planned.phase;
    plan.peak_layer = without_root(memory.peak_layer, root);
    plan.peak_op = memory.peak_op;
  }
}

}  // namespace

MemoryPlan plan_memory(const PlannedRun& run) {
  MemoryPlan plan;
  const BatchStep& training = *run.steps[0].step;
  plan.batch_size = training.sizes.batch;
  plan.part_size = training.sizes.large;
  plan.input_bytes = run.input_bytes;
  plan.weight_bytes = bytes_of(run.network.weights());
  plan.part_sum_bytes = bytes_of(run.part_sums);
  int64_t untouched = untouched_bytes(run.network.weights()) + untouched_bytes(run.part_sums);
  if (run.optimizer.defined()) {
    for (const Variables& state :
         {run.optimizer->variables(), run.optimizer->unsaved_variables()}) {
      plan.optimizer_bytes += bytes_of(state);
      untouched += untouched_bytes(state);
    }
  }
  for (const PlannedStep& planned : run.steps) add_arena(plan, planned, run.network.name());
  plan.plain_arena_bytes = plan.arena_bytes;
  plan.recomputed = training.parts.large->memory().saving.recomputed;
  plan.least_recompute_seconds = training.parts.large->memory().saving.least_seconds *
                                 static_cast<double>(training.sizes.count);
  plan.spilled_bytes = training.parts.large->memory().saving.spilled_bytes;
  plan.step_seconds = plan.plain_step_seconds = training.seconds();
  plan.layers = plan_layers(run.network, run.optimizer, training.parts.large->memory());
  plan.callback_bytes = run.callback_bytes;
  const ProcessMemory now = process_memory();
  const int64_t standing = now.resident_bytes + untouched - Arena::shared()->bytes();
  const int64_t known = plan.weight_bytes + plan.optimizer_bytes + plan.part_sum_bytes;
  plan.baseline_bytes = run.baseline_bytes.value_or(std::max<int64_t>(0, standing - known));
  const bool has_risen = !run.baseline_bytes && now.peak_resident_bytes > run.past_peak_bytes;
  plan.peak_bytes = std::max(plan.rest_bytes() + Storage::footprint(plan.arena_bytes),
                             has_risen ? now.peak_resident_bytes : 0);
  return plan;
}

}  // namespace plimsoll
