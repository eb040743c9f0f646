#include "plimsoll/plan/recompute.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "plimsoll/plan/mix_bits.h"
#include "plimsoll/plan/recompute_fit.h"
#include "plimsoll/plan/recompute_record.h"

namespace plimsoll::plan {
namespace {

// Work is counted in runs of tasks, in walks; a million takes some tenths of a second.
constexpr int64_t kWork = 2'000'000;
constexpr int64_t kWorkPerTask = 2'000;
constexpr int kVainAttempts = 150;

constexpr FitManner kManners[] = {
    {.parts = 8, .by_runs = 1, .share_of_early = 1},
    {.parts = 1, .by_runs = 0.5},
    {.parts = 8, .by_runs = 1},
    {.parts = 8, .by_runs = 0.5, .share_of_early = 0.3},
    {.parts = 8, .by_runs = 2, .share_of_early = 1},
    {.parts = 1, .by_runs = 2},
    {.parts = 8, .by_runs = 0.5, .share_of_early = 1},
    {.parts = 1, .by_runs = 1},
    {.parts = 32, .by_runs = 1, .share_of_early = 0.1},
};

struct Solution {
  Drops drops;
  double extra_seconds = 0;
};

// Finds ways to fit and improves the best of them: some of what it drops is kept, and what is then
// over the budget is dropped anew, at prices that differ a little.
class RecomputeSearch {
 public:
  RecomputeSearch(const RecomputeFacts& facts, int64_t budget_bytes)
      : facts_(facts), fit_(facts, budget_bytes) {}

  std::optional<Drops> run() {
    for (const FitManner& manner : kManners) {
      if (work_left() <= 0) break;
      Drops drops(facts_);
      const auto seconds = fit_.run(drops, manner, std::numeric_limits<double>::infinity());
      if (seconds && (!best_ || *seconds < best_->extra_seconds))
        best_ = {std::move(drops), *seconds};
    }
    if (!best_) return std::nullopt;
    for (int vain = 0; vain < kVainAttempts && work_left() > 0 && best_->extra_seconds > 0; ++vain)
      if (improve()) vain = 0;
    return best_->drops;
  }

 private:
  int64_t work_left() {
    const auto tasks = static_cast<int64_t>(facts_.problem.tasks.size());
    return std::min(kWork, kWorkPerTask * tasks) - fit_.walk().work();
  }
  double draw() { return static_cast<double>(mix_bits(++draws_) >> 11) * 0x1p-53; }
  size_t draw_below(size_t limit) { return mix_bits(++draws_) % limit; }

  bool improve() {
    Drops drops = best_->drops;
    fit_.walk().run(drops);
    const std::vector<Place> taken_back = some_dropped();
    for (const Place& place : taken_back) drops.change(place);
    const FitManner manner = {.parts = 1 + static_cast<int32_t>(draw_below(4)),
                              .by_runs = draw(),
                              .share_of_early = std::max(0.0, 2 * draw() - 1),
                              .noise = draw(),
                              .salt = ++draws_};
    const double before = best_->extra_seconds;
    const bool spares = draw_below(2) == 0;
    const auto seconds = fit_.run(drops, manner, 1.3 * before,
                                  spares ? std::span(taken_back) : std::span<const Place>());
    if (!seconds || *seconds > before) return false;
    best_ = {std::move(drops), *seconds};
    return *seconds < before;
  }

  // A few places anywhere, or most of a stretch.
  std::vector<Place> some_dropped() {
    const std::vector<Idle>& dropped = fit_.walk().dropped();
    const bool is_stretch = draw_below(2) == 0;
    const size_t count = is_stretch ? 2 + draw_below(20) : 1 + draw_below(4);
    const size_t from = draw_below(dropped.size());
    std::vector<Place> chosen;
    for (size_t i = 0; i < count; ++i) {
      const size_t index = is_stretch ? from + i : draw_below(dropped.size());
      if (index >= dropped.size() || (is_stretch && draw_below(3) == 0)) continue;
      if (std::ranges::find(chosen, dropped[index].place) == chosen.end())
        chosen.push_back(dropped[index].place);
    }
    return chosen;
  }

  const RecomputeFacts& facts_;
  RecomputeFit fit_;
  std::optional<Solution> best_;
  uint64_t draws_ = 0;
};

}  // namespace

std::optional<RecomputedStep> recompute_to_fit(const StepProblem& problem,
                                               std::span<const int32_t> order,
                                               int64_t budget_bytes) {
  const RecomputeFacts facts(problem, order);
  const std::optional<Drops> drops = RecomputeSearch(facts, budget_bytes).run();
  if (!drops) return std::nullopt;
  RecomputeWalk walk(facts);
  walk.run(*drops, true);
  if (walk.peak_bytes() > budget_bytes) return std::nullopt;
  return record(facts, walk.runs());
}

}  // namespace plimsoll::plan
