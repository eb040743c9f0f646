#include "plimsoll/train/memory/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "plimsoll/base/bytes.h"

namespace plimsoll {
namespace {

constexpr size_t kCellWidth = 16;

std::string padded(const std::string& text, size_t width, bool left) {
  const std::string fill(width > text.size() ? width - text.size() : 0, ' ');
  return left ? text + fill : fill + text;
}

std::string line(const std::string& first, const std::array<std::string, 4>& rest, size_t width) {
  std::string text = padded(first, width, true);
  for (const std::string& cell : rest) text += padded(cell, kCellWidth, false);
  return text + "\n";
}

// Rows that take next to nothing (losses, metrics, scalars of the optimizer) become one.
std::vector<MemoryPlan::Row> without_small_ones(const std::vector<MemoryPlan::Row>& rows,
                                                int64_t arena_bytes) {
  std::vector<MemoryPlan::Row> kept;
  MemoryPlan::Row small{.layer = "(others)"};
  for (const MemoryPlan::Row& row : rows) {
    if (row.weight_bytes > 0 ||
        std::max(row.activation_bytes, row.scratch_bytes) > arena_bytes / 500) {
      kept.push_back(row);
      continue;
    }
    small.activation_bytes += row.activation_bytes;
    small.live_at_peak_bytes += row.live_at_peak_bytes;
    small.scratch_bytes = std::max(small.scratch_bytes, row.scratch_bytes);
  }
  if (kept.size() < rows.size()) kept.push_back(small);
  return kept;
}

}  // namespace

std::string MemoryPlan::saving_text() const {
  std::string text;
  if (part_count() > 1)
    text += fmt::format("{} parts of {}{}", part_count(), part_size,
                        (part_size == 1 ? " sample, " : " samples, "));
  if (sequence_parts > 1) text += fmt::format("sequences in {} parts, ", sequence_parts);
  if (recomputed > 0) text += fmt::format("{} operations run again, ", recomputed);
  if (spilled_bytes > 0) text += format_bytes(spilled_bytes) + " by way of a file, ";
  if (updates_early)
    text +=
        "weights updated as their gradients come, so that a step that fails "
        "cannot be taken back, ";
  if (text.empty()) return text;
  char share[64];
  std::snprintf(share, sizeof share, "about %.1f%% more time", 100 * saving_share());
  text += share;
  if (recomputed == 0 || plain_step_seconds == 0) return text;
  std::snprintf(share, sizeof share, " (to recompute takes at least %.1f%%)",
                100 * least_recompute_seconds / plain_step_seconds);
  return text + share;
}

std::string MemoryPlan::to_string() const {
  const std::vector<Row> rows = without_small_ones(layers, arena_bytes);
  size_t width = 24;
  for (const Row& row : rows) width = std::max(width, row.layer.size() + 2);
  std::string text = line("layer", {"weights", "made in a step", "live at peak", "scratch"}, width);
  for (const Row& row : rows)
    text += line(row.layer,
                 {format_bytes(row.weight_bytes), format_bytes(row.activation_bytes),
                  format_bytes(row.live_at_peak_bytes), format_bytes(row.scratch_bytes)},
                 width);
  const auto total = [&](const char* what, int64_t bytes, const std::string& remark) {
    text +=
        padded(what, width, true) + padded(format_bytes(bytes), kCellWidth, false) + remark + "\n";
  };
  text += "\n";
  total("weights", weight_bytes, "");
  total("optimizer", optimizer_bytes, "");
  total("batch buffers", input_bytes, fmt::format("  (batch of {})", batch_size));
  if (callback_bytes >= 1024) total("callbacks", callback_bytes, "");
  total("arena", arena_bytes,
        "  (fullest in " + peak_phase + ", " + (peak_layer.empty() ? "the step" : peak_layer) +
            ": " + peak_op + "; at least " + format_bytes(lower_bound_bytes) + ")");
  if (!saving_text().empty())
    total("  saved", plain_arena_bytes - arena_bytes, "  (" + saving_text() + ")");
  if (part_sum_bytes > 0) total("sums over parts", part_sum_bytes, "");
  total("baseline, measured", baseline_bytes, "");
  total("planned peak", peak_bytes, "");
  return text;
}

}  // namespace plimsoll
