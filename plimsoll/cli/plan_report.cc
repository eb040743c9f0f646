#include "plimsoll/cli/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/train/memory/plan_json.h"

namespace plimsoll::cli {
namespace {

using Row = MemoryPlan::Row;
using Cells = std::array<std::string, 6>;

std::string cell(int64_t bytes) {
  return bytes == 0 ? "-" : format_bytes(bytes);
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

}  // namespace plimsoll::cli
