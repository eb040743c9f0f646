#include "plimsoll/plan/offsets/hill_climb.h"

#include <algorithm>

#include "plimsoll/plan/mix_bits.h"

namespace plimsoll::plan {
namespace {

// Positions in `order` of the buffers that reach above `bytes`.
std::vector<int32_t> positions_above(const OffsetProblem& problem, const GreedyResult& state,
                                     int64_t bytes) {
  std::vector<int32_t> positions;
  for (size_t i = 0; i < state.order.size(); ++i) {
    const int32_t buffer = state.order[i];
    if (state.solution.offsets[buffer] + problem.buffers[buffer].bytes > bytes) {
      positions.push_back(static_cast<int32_t>(i));
    }
  }
  return positions;
}

}  // namespace

// Only buffers that reach above the bound are in the wrong place: one of them is placed earlier.
OffsetSolution hill_climb(const OffsetProblem& problem, GreedyResult start, int64_t bound,
                          int64_t work) {
  const int64_t count = static_cast<int64_t>(problem.buffers.size());
  const int64_t work_per_placement = count * count / 2 + 1;
  GreedyResult state = std::move(start);
  uint64_t draws = 0;
  const auto draw_below = [&](size_t limit) { return mix_bits(++draws) % limit; };
  for (; work >= work_per_placement && state.solution.arena_bytes > bound;
       work -= work_per_placement) {
    const std::vector<int32_t> misplaced = positions_above(problem, state, bound);
    const auto from = state.order.begin() + misplaced[draw_below(misplaced.size())];
    const auto to = state.order.begin() + draw_below(from - state.order.begin() + 1);
    std::rotate(to, from, from + 1);
    OffsetSolution changed = place_in_order(problem, state.order, state.gap);
    if (changed.arena_bytes <= state.solution.arena_bytes) {
      state.solution = std::move(changed);
    } else {
      std::rotate(to, to + 1, from + 1);
    }
  }
  return state.solution;
}

}  // namespace plimsoll::plan
