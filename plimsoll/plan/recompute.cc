#include "plimsoll/plan/recompute.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plimsoll/plan/recompute_walk.h"

namespace plimsoll::plan {
namespace {

// How gaps are chosen.
struct Manner {
  // What is over the budget is dropped in so many parts, with a walk after each: what is dropped
  // makes dearer what is made of it.
  int64_t parts = 1;
  // By what power the moments count that a gap helps.
  double by_moments = 0;
};
constexpr Manner kManners[] = {{1, 0}, {8, 0}, {8, 1}, {4, 2}};

struct Chosen {
  Drops drops;
  double extra_seconds = 0;
  bool evicts = false;  // besides, what is in the way is dropped as it comes
};

// Chooses gaps in which values are dropped: where the walk is over the budget, the cheapest ones
// that stand open there, for what they spare; until it is nowhere over.
class GapSearch {
 public:
  GapSearch(const RecomputeFacts& facts, int64_t budget, const Manner& manner)
      : facts_(facts), budget_(budget), manner_(manner), drops_(facts) {}

  std::optional<Chosen> run() {
    constexpr int kRounds = 400;
    for (int round = 0; round < kRounds; ++round) {
      RecomputeWalk walk(facts_, drops_, budget_, {});
      if (!walk.run()) break;
      if (walk.peak_bytes() <= budget_) return without_needless(walk.extra_seconds());
      if (!drop_some(walk)) break;
    }
    RecomputeWalk walk(facts_, drops_, budget_, {.evicts = true});
    if (!walk.run()) return std::nullopt;
    return Chosen{drops_, walk.extra_seconds(), true};
  }

 private:
  struct Candidate {
    Gap gap;
    Fate fate;
    double cost = 0;
    int64_t bytes = 0;
    double price = 0;
  };

  static Fate worse(Fate fate) { return static_cast<Fate>(static_cast<int>(fate) + 1); }
  static Fate better(Fate fate) { return static_cast<Fate>(static_cast<int>(fate) - 1); }

  std::vector<Candidate> candidates(const RecomputeWalk& walk) const {
    std::vector<Candidate> found;
    for (const Gap& gap : walk.gaps_at_peak()) {
      const auto cost = walk.cost(gap);
      if (!cost) continue;
      const int64_t bytes = walk.bytes(gap);
      const double helped = std::pow(std::max(1, walk.moments_over(gap)), manner_.by_moments);
      found.push_back(
          {gap, worse(drops_.of(gap)), *cost, bytes, *cost / static_cast<double>(bytes) / helped});
    }
    std::ranges::stable_sort(found, {}, &Candidate::price);
    return found;
  }

  bool drop_some(const RecomputeWalk& walk) {
    std::vector<Candidate> cheapest = candidates(walk);
    int64_t excess = (walk.peak_bytes() - budget_ + manner_.parts - 1) / manner_.parts;
    size_t count = 0;
    while (count < cheapest.size() && excess > 0) excess -= cheapest[count++].bytes;
    cheapest.resize(count);
    // The last ones may have made dear ones needless.
    std::ranges::stable_sort(cheapest, std::ranges::greater(), &Candidate::cost);
    for (const Candidate& it : cheapest) {
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
  Chosen without_needless(double seconds) {
    constexpr size_t kTries = 100;
    std::ranges::stable_sort(chosen_, std::ranges::greater(), &Candidate::cost);
    for (size_t i = 0; i < std::min(kTries, chosen_.size()); ++i) {
      drops_.set(chosen_[i].gap, better(chosen_[i].fate));
      RecomputeWalk walk(facts_, drops_, budget_, {});
      if (walk.run() && walk.peak_bytes() <= budget_ && walk.extra_seconds() <= seconds)
        seconds = walk.extra_seconds();
      else
        drops_.set(chosen_[i].gap, chosen_[i].fate);
    }
    return {drops_, seconds};
  }

  const RecomputeFacts& facts_;
  const int64_t budget_;
  const Manner manner_;
  Drops drops_;
  std::vector<Candidate> chosen_;
};

}  // namespace

std::optional<RecomputedStep> recompute_to_fit(const StepProblem& problem,
                                               std::span<const int32_t> order,
                                               int64_t budget_bytes) {
  const RecomputeFacts facts(problem, order);
  std::optional<Chosen> best;
  for (const Manner& manner : kManners) {
    std::optional<Chosen> found = GapSearch(facts, budget_bytes, manner).run();
    if (found && (!best || found->extra_seconds < best->extra_seconds)) best = std::move(found);
  }
  if (!best) best = Chosen{Drops(facts), 0, true};
  RecomputeWalk walk(facts, best->drops, budget_bytes, {.evicts = best->evicts, .records = true});
  if (!walk.run()) return std::nullopt;
  return walk.take();
}

}  // namespace plimsoll::plan
