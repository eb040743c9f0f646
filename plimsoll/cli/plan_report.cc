#include "plimsoll/cli/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "plimsoll/base/bytes.h"

namespace plimsoll::cli {
namespace {

using Row = MemoryPlan::Row;
using Cells = std::array<std::string, 6>;

std::string cell(int64_t bytes) {
  return bytes == 0 ? "-" : format_bytes(bytes);
}

// What a layer's ops make in a step but for the gradients of its weights, which have a column.
int64_t activations_of(const Row& row) {
  return std::max<int64_t>(0, row.activation_bytes - row.gradient_bytes);
}

Cells cells_of(const Row& row) {
  return {row.layer,
          cell(row.weight_bytes),
          cell(row.gradient_bytes),
          cell(row.optimizer_bytes),
          cell(activations_of(row)),
          cell(row.scratch_bytes)};
}

std::string line(const Cells& cells, size_t first_width) {
  constexpr size_t kWidth = 13;
  std::string text = cells[0] + std::string(first_width - cells[0].size(), ' ');
  for (size_t i = 1; i < cells.size(); ++i)
    text += std::string(kWidth - std::min(kWidth, cells[i].size()), ' ') + cells[i];
  return text + "\n";
}

int64_t gradient_bytes(const MemoryPlan& plan) {
  int64_t bytes = 0;
  for (const Row& row : plan.layers) bytes += row.gradient_bytes;
  return bytes;
}

std::string total(const char* what, int64_t bytes, const std::string& remark = "") {
  std::string text = what;
  text += std::string(20 - text.size(), ' ');
  const std::string amount = format_bytes(bytes);
  text += std::string(12 - std::min<size_t>(12, amount.size()), ' ') + amount;
  return text + (remark.empty() ? "" : "  " + remark) + "\n";
}

}  // namespace

std::string plan_table(const MemoryPlan& plan) {
  std::vector<Cells> rows = {
      {"layer", "weights", "gradients", "optimizer", "activations", "scratch"}};
  for (const Row& row : plan.layers) {
    Row named = row;
    if (named.layer.empty()) named.layer = "(between layers)";
    rows.push_back(cells_of(named));
  }
  size_t width = 20;
  for (const Cells& cells : rows) width = std::max(width, cells[0].size());
  std::string text;
  for (const Cells& cells : rows) text += line(cells, width);
  text += "\n" + total("weights", plan.weight_bytes);
  text += total("optimizer", plan.optimizer_bytes);
  text +=
      total("arena", plan.arena_bytes,
            fmt::format("gradients ({}), activations and scratch at their fullest; at least {}",
                        format_bytes(gradient_bytes(plan)), format_bytes(plan.lower_bound_bytes)));
  if (const std::string how = plan.saving_text(); !how.empty())
    text += total("  saved", plan.plain_arena_bytes - plan.arena_bytes, how);
  if (plan.part_sum_bytes > 0)
    text += total("sums over parts", plan.part_sum_bytes, "gradients of the whole batch");
  text += total("input buffers", plan.input_bytes,
                fmt::format("{} of {}", plan.part_count() > 1 ? "a part of a batch" : "batch",
                            plan.batch_size));
  text += total("baseline", plan.baseline_bytes, "the program, measured");
  text += fmt::format("step time {:>19.3g} s  predicted\n", plan.step_seconds);
  text += total(
      "peak", plan.peak_bytes,
      fmt::format("in {}, {} ({})", plan.peak_phase,
                  plan.peak_layer.empty() ? "between layers" : plan.peak_layer, plan.peak_op));
  return text;
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

}  // namespace plimsoll::cli
