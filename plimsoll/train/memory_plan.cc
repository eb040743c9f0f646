#include "plimsoll/train/memory_plan.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/bytes.h"

namespace plimsoll {
namespace {

std::string padded(std::string text, size_t width, bool left) {
  const std::string fill(width > text.size() ? width - text.size() : 0, ' ');
  return left ? text + fill : fill + text;
}

std::string line(const std::string& first, const std::array<std::string, 4>& rest, size_t width) {
  std::string text = padded(first, width, true);
  for (const std::string& cell : rest) text += padded(cell, 14, false);
  return text + "\n";
}

}  // namespace

std::string MemoryPlan::to_string() const {
  size_t width = 24;
  for (const Row& row : layers) width = std::max(width, row.layer.size() + 2);
  std::string text = line("layer", {"weights", "made in a step", "live at peak", "scratch"}, width);
  for (const Row& row : layers)
    text += line(row.layer,
                 {format_bytes(row.weight_bytes), format_bytes(row.activation_bytes),
                  format_bytes(row.live_at_peak_bytes), format_bytes(row.scratch_bytes)},
                 width);
  const auto total = [&](const char* what, int64_t bytes, const std::string& remark) {
    text += padded(what, width, true) + padded(format_bytes(bytes), 14, false) + remark + "\n";
  };
  text += "\n";
  total("weights", weight_bytes, "");
  total("optimizer", optimizer_bytes, "");
  total("batch buffers", input_bytes, "  (batch of " + std::to_string(batch_size) + ")");
  total("arena", arena_bytes,
        "  (fullest in " + peak_phase + ", " + (peak_layer.empty() ? "the step" : peak_layer) +
            ": " + peak_op + "; at least " + format_bytes(lower_bound_bytes) + ")");
  total("baseline, measured", baseline_bytes, "");
  total("planned peak", peak_bytes, "");
  return text;
}

}  // namespace plimsoll
