#include "plimsoll/plan/recompute.h"

#include <algorithm>
#include <utility>

#include "plimsoll/plan/recompute_walk.h"

namespace plimsoll::plan {
namespace {

// Chooses gaps in which values are dropped: where the walk is over the budget, the cheapest ones
// that stand open there, for their bytes; until it is nowhere over.
class GapSearch {
 public:
  // What is over the budget is dropped in so many parts, with a walk after each: what is dropped
  // makes dearer what is made of it.
  GapSearch(const RecomputeFacts& facts, int64_t budget, int64_t parts)
      : facts_(facts), budget_(budget), parts_(parts), drops_(facts) {}

  std::optional<RecomputedStep> run() {
    constexpr int kRounds = 400;
    for (int round = 0; round < kRounds; ++round) {
      RecomputeWalk walk(facts_, drops_, budget_, false);
      if (!walk.run()) break;
      if (walk.peak_bytes() <= budget_) return without_needless(walk.take());
      if (!drop_some(walk)) break;
    }
    RecomputeWalk walk(facts_, drops_, budget_, true);
    if (!walk.run()) return std::nullopt;
    return walk.take();
  }

 private:
  struct Candidate {
    Gap gap;
    Fate fate;
    double cost = 0;
    int64_t bytes = 0;
    double price() const { return cost / static_cast<double>(bytes); }
  };

  static Fate worse(Fate fate) { return static_cast<Fate>(static_cast<int>(fate) + 1); }
  static Fate better(Fate fate) { return static_cast<Fate>(static_cast<int>(fate) - 1); }

  bool drop_some(const RecomputeWalk& walk) {
    std::vector<Candidate> candidates;
    for (const Gap& gap : walk.gaps_at_peak())
      if (const auto cost = walk.cost(gap))
        candidates.push_back({gap, worse(drops_.of(gap)), *cost, walk.bytes(gap)});
    std::ranges::stable_sort(candidates, {}, &Candidate::price);
    int64_t excess = (walk.peak_bytes() - budget_ + parts_ - 1) / parts_;
    size_t count = 0;
    while (count < candidates.size() && excess > 0) excess -= candidates[count++].bytes;
    candidates.resize(count);
    // The last ones may have made dear ones needless.
    std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::cost);
    for (const Candidate& it : candidates) {
      if (excess + it.bytes <= 0) {
        excess += it.bytes;
        continue;
      }
      drops_.set(it.gap, it.fate);
      chosen_.push_back(it);
    }
    return count > 0;
  }

  // Takes back, dearest first, what later choices have made needless.
  RecomputedStep without_needless(RecomputedStep best) {
    constexpr size_t kTries = 100;
    std::ranges::stable_sort(chosen_, std::ranges::greater(), &Candidate::cost);
    for (size_t i = 0; i < std::min(kTries, chosen_.size()); ++i) {
      drops_.set(chosen_[i].gap, better(chosen_[i].fate));
      RecomputeWalk walk(facts_, drops_, budget_, false);
      RecomputedStep found;
      if (walk.run() && walk.peak_bytes() <= budget_) found = walk.take();
      if (!found.order.empty() && found.extra_seconds <= best.extra_seconds)
        best = std::move(found);
      else
        drops_.set(chosen_[i].gap, chosen_[i].fate);
    }
    return best;
  }

  const RecomputeFacts& facts_;
  const int64_t budget_;
  const int64_t parts_;
  Drops drops_;
  std::vector<Candidate> chosen_;
};

}  // namespace

std::optional<RecomputedStep> recompute_to_fit(const StepProblem& problem,
                                               std::span<const int32_t> order,
                                               int64_t budget_bytes) {
  const RecomputeFacts facts(problem, order);
  std::optional<RecomputedStep> best;
  for (const int64_t parts : {1, 8}) {
    std::optional<RecomputedStep> found = GapSearch(facts, budget_bytes, parts).run();
    if (found && (!best || found->extra_seconds < best->extra_seconds)) best = std::move(found);
  }
  if (best) return best;
  RecomputeWalk evicting(facts, Drops(facts), budget_bytes, true);
  if (evicting.run()) best = evicting.take();
  return best;
}

}  // namespace plimsoll::plan
