#include "plimsoll/train/plan_memory.h"

#include <algorithm>

#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/train/plan_layers.h"

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

std::string without_root(const std::string& path, const std::string& root) {
  return path.starts_with(root + "/") ? path.substr(root.size() + 1) : path;
}

}  // namespace

MemoryPlan plan_memory(const Network& network, const Optimizer& optimizer,
                       std::span<const PlannedStep> steps, int64_t batch_size, int64_t input_bytes,
                       int64_t resident_input_bytes) {
  MemoryPlan plan;
  plan.batch_size = batch_size;
  plan.input_bytes = input_bytes;
  plan.weight_bytes = bytes_of(network.weights());
  int64_t untouched = untouched_bytes(network.weights());
  if (optimizer.defined()) {
    plan.optimizer_bytes = bytes_of(optimizer->variables());
    untouched += untouched_bytes(optimizer->variables());
  }
  for (const PlannedStep& planned : steps) {
    const StepMemory& memory = planned.step->memory();
    if (memory.arena_bytes < plan.arena_bytes) continue;
    plan.arena_bytes = memory.arena_bytes;
    plan.lower_bound_bytes = memory.lower_bound_bytes;
    plan.peak_phase = planned.phase;
    plan.peak_layer = without_root(memory.peak_layer, network.name());
    plan.peak_op = memory.peak_op;
  }
  const StepMemory& training = steps[0].step->memory();
  plan.plain_arena_bytes = plan.arena_bytes;
  plan.recomputed = training.recomputed;
  if (training.recomputed > 0)
    plan.recompute_share =
        training.recompute_seconds / (training.seconds - training.recompute_seconds);
  plan.layers = plan_layers(network, optimizer, steps[0].step->memory());
  const ProcessMemory now = process_memory();
  const int64_t standing =
      now.resident_bytes + untouched - Arena::shared()->bytes() - resident_input_bytes;
  plan.baseline_bytes = std::max<int64_t>(0, standing - plan.weight_bytes - plan.optimizer_bytes);
  plan.peak_bytes = std::max(standing + plan.input_bytes + Storage::footprint(plan.arena_bytes),
                             now.peak_resident_bytes);
  return plan;
}

}  // namespace plimsoll
