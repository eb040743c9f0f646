// Chooses which values to drop so that a step fits into a budget, at the least extra time that it
// finds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plimsoll/plan/recompute/recompute_drops.h"
#include "plimsoll/plan/recompute/shrink_walk.h"

namespace plimsoll::plan {

// Finds ways to fit and improves the best of them: some of what it drops is kept, and what is then
// over the budget is dropped anew, at prices that differ a little. The same step and budget give
// the same result everywhere: work is counted, not time, and what looks random is a hash.
class RecomputeSearch {
 public:
  RecomputeSearch(const RecomputeFacts& facts, int64_t budget_bytes);

  // None if no way was found. If any way is enough, the first one.
  std::optional<Drops> run(bool is_any_enough = false);
  // In runs of tasks; at most little more than 5 million.
  int64_t work() { return shrinker_.walk().work(); }

 private:
  struct Solution {
    Drops drops;
    double extra_seconds = 0;
  };

  void begin(bool is_any_enough);
  bool improve();
  std::vector<DropPoint> some_dropped();
  ShrinkManner any_manner();
  double draw();
  size_t draw_below(size_t limit);

  const RecomputeFacts& facts_;
  WalkShrinker shrinker_;
  std::optional<Solution> best_;
  std::optional<Solution> current_;  // which may be a little worse
  uint64_t draws_ = 0;
};

}  // namespace plimsoll::plan
