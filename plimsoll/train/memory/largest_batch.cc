#include "plimsoll/train/memory/largest_batch.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

// A batch with the peak that was planned for it.
struct Tried {
  int64_t batch = 0, peak = 0;
};

// Where the line through two plans meets the budget; strictly between `low` and `high`.
int64_t guess(const Tried& a, const Tried& b, int64_t budget, int64_t low, int64_t high) {
  int64_t crossing = (low + high) / 2;
  if (a.batch != b.batch && a.peak != b.peak) {
    const double slope =
        static_cast<double>(b.peak - a.peak) / static_cast<double>(b.batch - a.batch);
    const double steps = static_cast<double>(budget - a.peak) / slope;
    crossing = a.batch + static_cast<int64_t>(std::clamp(steps, -1e9, 1e9));
  }
  return std::clamp(crossing, low + 1, high - 1);
}

}  // namespace

LargestBatch largest_batch(const std::function<int64_t(int64_t)>& peak_bytes, int64_t budget,
                           int64_t first, int64_t most, double tolerance) {
  int64_t low = 0, high = most + 1;  // low fits, high does not or is not asked for
  const auto is_found = [&] {
    return low + 1 >= high || static_cast<double>(high) < tolerance * static_cast<double>(low);
  };
  Tried last, before;
  for (int64_t next = std::clamp<int64_t>(first, 1, most); !is_found();) {
    before = last;
    last = {next, peak_bytes(next)};
    (last.peak <= budget ? low : high) = next;
    if (is_found()) break;
    // After the first plan a line needs a second point, not far away.
    const int64_t doubled = std::clamp(2 * next, low + 1, high - 1);
    next = before.batch == 0 ? (low == next ? doubled : std::clamp(next / 2, low + 1, high - 1))
                             : guess(before, last, budget, low, high);
  }
  return {low, low == most, low + 1 < high};
}

std::string to_string(const LargestBatch& batch, const MemoryBudget& budget) {
  if (batch.size == 0)
    return fmt::format("no batch fits in {} without saving memory", budget.to_string());
  return fmt::format("batches of up to {} fit in {} without saving memory{}", batch.size,
                     budget.to_string(), batch.is_most ? "; larger ones were not tried" : "");
}

}  // namespace plimsoll
