#include "plimsoll/train/memory/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plimsoll/base/bytes.h"

namespace plimsoll {
namespace {

using Row = MemoryPlan::Row;

// Where the arena is fullest, and all the time.
int64_t weight_of(const Row& row) {
  return row.live_at_peak_bytes + row.weight_bytes + row.optimizer_bytes;
}

std::vector<Row> heaviest_first(std::vector<Row> rows) {
  std::ranges::stable_sort(rows, std::ranges::greater(), weight_of);
  return rows;
}

// "conv2d (98.0 MiB), conv2d_1 (24.5 MiB), dense (10.0 MiB)"
std::string heaviest_layers(const MemoryPlan& plan) {
  constexpr size_t kShown = 3;
  const std::vector<Row> rows = heaviest_first(plan.layers);
  std::string text;
  for (size_t i = 0; i < std::min(kShown, rows.size()); ++i)
    text += (i > 0 ? ", " : "") + rows[i].layer + " (" + format_bytes(weight_of(rows[i])) + ")";
  return text;
}

}  // namespace

std::string to_string(const Refusal& refusal) {
  const MemoryPlan& plan = refusal.plan;
  return fmt::format("training at a batch of {} takes {} at its peak, in {}, most of it for {}; {}",
                     plan.batch_size, format_bytes(plan.peak_bytes),
                     (plan.peak_layer.empty() ? "the step" : plan.peak_layer),
                     heaviest_layers(plan), to_string(refusal.advice, refusal.budget));
}

}  // namespace plimsoll
