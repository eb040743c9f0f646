// Drops values until a walk fits into a budget, the cheapest first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plimsoll/plan/recompute/recompute_drops.h"
#include "plimsoll/plan/recompute/recompute_walk.h"

namespace plimsoll::plan {

// How the price of dropping a value is computed, and how much is dropped before the next walk.
struct ShrinkManner {
  // The bytes over the budget are removed in this many parts, with a walk after each, because
  // dropping a value raises the price of values that are made from it.
  int32_t parts = 1;
  // The power with which the number of runs counts that are over the budget and that a drop helps.
  double by_runs = 0;
  // The share that counts of the cost of values that would only be made earlier than otherwise,
  // since they may be dropped again before that.
  double share_of_early = 0;
  // Each price is multiplied by a factor between e^-noise and e^noise that looks random and depends
  // on `salt`.
  double noise = 0;
  uint64_t salt = 0;
};

class WalkShrinker {
 public:
  // All runs together end soon after this much work.
  WalkShrinker(const RecomputeFacts& facts, int64_t budget_bytes, int64_t work)
      : facts_(facts), budget_bytes_(budget_bytes), work_(work), walk_(facts) {}

  // Changes `drops` until the walk fits, then takes back what later choices have made needless.
  // Returns the extra seconds; none where it does not fit in less than `limit_seconds`. What is
  // `spared` is not dropped.
  std::optional<double> run(Drops& drops, const ShrinkManner& manner, double limit_seconds,
                            std::span<const DropPoint> spared = {});

  bool has_work_left() const { return walk_.work() < work_; }
  // The last walk that was taken.
  RecomputeWalk& walk() { return walk_; }

 private:
  struct Candidate {
    Idle idle;
    int64_t bytes = 0;
    double cost = 0;
  };

  bool fits() const { return walk_.peak_bytes() <= budget_bytes_; }
  int64_t bytes(const Idle& idle) const { return facts_.rounded(facts_.bytes(idle.place.owner)); }
  bool drop_some(Drops& drops, const ShrinkManner& manner, std::span<const DropPoint> spared);
  void find_excess();
  void find_candidates(const ShrinkManner& manner, std::span<const DropPoint> spared);
  Candidate* cheapest_at(int32_t run);
  double take_back(Drops& drops);
  std::vector<DropPoint> needless() const;
  bool has_room(const Idle& dropped) const;

  const RecomputeFacts& facts_;
  const int64_t budget_bytes_;
  const int64_t work_;
  RecomputeWalk walk_;
  std::vector<int64_t> excess_;  // of each run, the bytes over the budget
  std::vector<int32_t> over_;    // before each run, how many were over
  std::vector<Candidate> candidates_;
};

}  // namespace plimsoll::plan
