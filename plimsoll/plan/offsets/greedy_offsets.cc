#include "plimsoll/plan/offsets/greedy_offsets.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace plimsoll::plan {
namespace {

struct Placed {
  int64_t begin;
  int64_t end;
  int32_t first;
  int32_t last;
};

// `placed` is sorted by `begin`.
int64_t find_gap(std::span<const Placed> placed, const Buffer& buffer, Gap choice) {
  int64_t top = 0;
  int64_t best_gap = std::numeric_limits<int64_t>::max();
  int64_t best_begin = -1;
  for (const Placed& other : placed) {
    if (other.last < buffer.first || buffer.last < other.first) continue;
    const int64_t gap = other.begin - top;
    if (gap >= buffer.bytes && gap < best_gap) {
      if (choice == Gap::lowest) return top;
      best_gap = gap;
      best_begin = top;
    }
    top = std::max(top, other.end);
  }
  return best_begin >= 0 ? best_begin : top;
}

// Buffers with larger keys are placed earlier.
using Key = double (*)(const Buffer&);
constexpr std::array<Key, 4> kKeys = {
    [](const Buffer& b) { return static_cast<double>(b.bytes); },
    [](const Buffer& b) { return static_cast<double>(b.last) - b.first; },
    [](const Buffer& b) {
      return static_cast<double>(b.bytes) * (static_cast<double>(b.last) - b.first + 1);
    },
    [](const Buffer& b) { return -static_cast<double>(b.first); },
};

std::vector<int32_t> order_by(const std::vector<Buffer>& buffers, Key key) {
  std::vector<int32_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const double key_a = key(buffers[a]);
    const double key_b = key(buffers[b]);
    return key_a != key_b ? key_a > key_b : buffers[a].bytes > buffers[b].bytes;
  });
  return order;
}

}  // namespace

OffsetSolution place_in_order(const OffsetProblem& problem, std::span<const int32_t> order,
                              Gap gap) {
  OffsetSolution solution{.offsets = std::vector<int64_t>(problem.buffers.size(), 0)};
  std::vector<Placed> placed;
  placed.reserve(order.size());
  for (const int32_t index : order) {
    const Buffer& buffer = problem.buffers[index];
    if (buffer.bytes == 0) continue;
    const int64_t begin = find_gap(placed, buffer, gap);
    const auto place = std::upper_bound(placed.begin(), placed.end(), begin,
                                        [](int64_t b, const Placed& p) { return b < p.begin; });
    placed.insert(place, {begin, begin + buffer.bytes, buffer.first, buffer.last});
    solution.offsets[index] = begin;
    solution.arena_bytes = std::max(solution.arena_bytes, begin + buffer.bytes);
  }
  return solution;
}

GreedyResult best_greedy(const OffsetProblem& problem, int64_t bound) {
  GreedyResult best;
  best.solution.arena_bytes = std::numeric_limits<int64_t>::max();
  for (const Key key : kKeys) {
    std::vector<int32_t> order = order_by(problem.buffers, key);
    for (const Gap gap : {Gap::lowest, Gap::smallest}) {
      OffsetSolution solution = place_in_order(problem, order, gap);
      if (solution.arena_bytes < best.solution.arena_bytes)
        best = {std::move(solution), order, gap};
      if (best.solution.arena_bytes <= bound) return best;
    }
  }
  return best;
}

}  // namespace plimsoll::plan
