#include "plimsoll/train/memory/plan_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace plimsoll {

using Row = MemoryPlan::Row;

int64_t gradient_bytes(const MemoryPlan& plan) {
  int64_t bytes = 0;
  for (const Row& row : plan.layers) bytes += row.gradient_bytes;
  return bytes;
}

int64_t activations_of(const Row& row) {
  return std::max<int64_t>(0, row.activation_bytes - row.gradient_bytes);
}

nlohmann::ordered_json plan_json(const MemoryPlan& plan) {
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  for (const Row& row : plan.layers)
    layers.push_back({{"name", row.layer},
                      {"weight_bytes", row.weight_bytes},
                      {"gradient_bytes", row.gradient_bytes},
                      {"optimizer_bytes", row.optimizer_bytes},
                      {"activation_bytes", activations_of(row)},
                      {"scratch_bytes", row.scratch_bytes},
                      {"live_at_peak_bytes", row.live_at_peak_bytes}});
  return {{"batch_size", plan.batch_size},
          {"peak_bytes", plan.peak_bytes},
          {"arena_bytes", plan.arena_bytes},
          {"plain_arena_bytes", plan.plain_arena_bytes},
          {"lower_bound_bytes", plan.lower_bound_bytes},
          {"part_size", plan.part_size},
          {"parts", plan.part_count()},
          {"part_sum_bytes", plan.part_sum_bytes},
          {"sequence_parts", plan.sequence_parts},
          {"recomputed_operations", plan.recomputed},
          {"updates_early", plan.updates_early},
          {"spilled_bytes", plan.spilled_bytes},
          {"saving_share", plan.saving_share()},
          {"step_seconds", plan.step_seconds},
          {"least_recompute_seconds", plan.least_recompute_seconds},
          {"weight_bytes", plan.weight_bytes},
          {"gradient_bytes", gradient_bytes(plan)},
          {"optimizer_bytes", plan.optimizer_bytes},
          {"input_bytes", plan.input_bytes},
          {"baseline_bytes", plan.baseline_bytes},
          {"peak", {{"phase", plan.peak_phase}, {"layer", plan.peak_layer}, {"op", plan.peak_op}}},
          {"layers", std::move(layers)}};
}

}  // namespace plimsoll
