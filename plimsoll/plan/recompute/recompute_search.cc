#include "plimsoll/plan/recompute/recompute_search.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "plimsoll/plan/mix_bits.h"

namespace plimsoll::plan {
namespace {

// A million takes about a tenth of a second.
constexpr int64_t kWork = 5'000'000;
constexpr int64_t kWorkPerTask = 10'000;
constexpr int kVainAttempts = 500;
constexpr double kTolerance = 1.002;

constexpr ShrinkManner kManners[] = {
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

int64_t work_for(const RecomputeFacts& facts) {
  return std::min(kWork, kWorkPerTask * static_cast<int64_t>(facts.problem.tasks.size()));
}

}  // namespace

RecomputeSearch::RecomputeSearch(const RecomputeFacts& facts, int64_t budget_bytes)
    : facts_(facts), shrinker_(facts, budget_bytes, work_for(facts)) {}

std::optional<Drops> RecomputeSearch::run(bool is_any_enough) {
  begin(is_any_enough);
  if (!best_) return std::nullopt;
  if (is_any_enough) return best_->drops;
  int vain = 0;
  while (vain < kVainAttempts && shrinker_.has_work_left() && best_->extra_seconds > 0)
    vain = improve() ? 0 : vain + 1;
  return best_->drops;
}

void RecomputeSearch::begin(bool is_any_enough) {
  for (const ShrinkManner& manner : kManners) {
    Drops drops(facts_);
    const auto seconds = shrinker_.run(drops, manner, std::numeric_limits<double>::infinity());
    if (seconds && (!best_ || *seconds < best_->extra_seconds))
      best_ = {std::move(drops), *seconds};
    if (best_ && is_any_enough) return;
  }
  current_ = best_;
}

bool RecomputeSearch::improve() {
  Drops drops = current_->drops;
  shrinker_.walk().run(drops);
  const std::vector<DropPoint> taken_back = some_dropped();
  for (const DropPoint& place : taken_back) drops.change(place);
  const double limit_seconds = 1.3 * current_->extra_seconds;
  const std::span<const DropPoint> spared(taken_back.data(), draw_below(2) * taken_back.size());
  const auto seconds = shrinker_.run(drops, any_manner(), limit_seconds, spared);
  const double allowed = std::max(current_->extra_seconds, kTolerance * best_->extra_seconds);
  if (!seconds || *seconds > allowed) return false;
  current_ = {std::move(drops), *seconds};
  if (*seconds >= best_->extra_seconds) return false;
  best_ = current_;
  return true;
}

// A few places anywhere, or most of a stretch.
std::vector<DropPoint> RecomputeSearch::some_dropped() {
  const std::vector<Idle>& dropped = shrinker_.walk().dropped();
  const bool is_stretch = draw_below(2) == 0;
  const size_t count = is_stretch ? 2 + draw_below(40) : 1 + draw_below(4);
  const size_t from = draw_below(dropped.size());
  std::vector<DropPoint> chosen;
  for (size_t i = 0; i < count; ++i) {
    const size_t index = is_stretch ? from + i : draw_below(dropped.size());
    if (index >= dropped.size() || (is_stretch && draw_below(3) == 0)) continue;
    if (std::ranges::find(chosen, dropped[index].place) == chosen.end())
      chosen.push_back(dropped[index].place);
  }
  return chosen;
}

ShrinkManner RecomputeSearch::any_manner() {
  return {.parts = 1 + static_cast<int32_t>(draw_below(4)),
          .by_runs = draw(),
          .share_of_early = std::max(0.0, 2 * draw() - 1),
          .noise = draw(),
          .salt = ++draws_};
}

double RecomputeSearch::draw() {
  return static_cast<double>(mix_bits(++draws_) >> 11) * 0x1p-53;
}

size_t RecomputeSearch::draw_below(size_t limit) {
  return mix_bits(++draws_) % limit;
}

}  // namespace plimsoll::plan
