#include "plimsoll/plan/recompute/shrink_walk.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/plan/mix_bits.h"

namespace plimsoll::plan {
namespace {

// A factor from e^-noise to e^noise.
double noise_at(const DropPoint& place, const ShrinkManner& manner) {
  const auto place_number =
      static_cast<uint64_t>(place.owner) << 32 | static_cast<uint32_t>(place.gap);
  const uint64_t bits = mix_bits(manner.salt ^ mix_bits(place_number));
  return std::exp(manner.noise * (static_cast<double>(bits >> 11) * 0x1p-52 - 1));
}

bool contains(std::span<const DropPoint> points, const DropPoint& place) {
  return std::ranges::find(points, place) != points.end();
}

}  // namespace

std::optional<double> WalkShrinker::run(Drops& drops, const ShrinkManner& manner,
                                        double limit_seconds, std::span<const DropPoint> spared) {
  constexpr int kRounds = 64;
  for (int round = 0; round < kRounds && has_work_left(); ++round) {
    if (!walk_.run(drops) || walk_.extra_seconds() >= limit_seconds) return std::nullopt;
    if (fits()) return take_back(drops);
    if (!drop_some(drops, manner, spared)) return std::nullopt;
  }
  return std::nullopt;
}

// Finds the run that is most over the budget and drops the value that is cheapest there for the
// bytes that it frees. This repeats for the run that is then most over the budget, as far as this
// walk can show it.
bool WalkShrinker::drop_some(Drops& drops, const ShrinkManner& manner,
                             std::span<const DropPoint> spared) {
  find_excess();
  find_candidates(manner, spared);
  const int64_t goal = (walk_.peak_bytes() - budget_bytes_) * (manner.parts - 1) / manner.parts;
  bool any = false;
  while (true) {
    const auto most = std::ranges::max_element(excess_);
    if (*most <= goal) return any;
    Candidate* chosen = cheapest_at(static_cast<int32_t>(most - excess_.begin()));
    if (chosen == nullptr) return any;
    any = true;
    drops.change(chosen->idle.place);
    for (int32_t i = chosen->idle.from + 1; i < chosen->idle.to; ++i)
      excess_[at(i)] -= chosen->bytes;
    *chosen = candidates_.back();
    candidates_.pop_back();
  }
}

void WalkShrinker::find_excess() {
  const std::vector<int64_t>& live = walk_.live_bytes();
  excess_.resize(live.size());
  over_.assign(live.size() + 1, 0);
  for (size_t i = 0; i < live.size(); ++i) {
    excess_[i] = live[i] - budget_bytes_;
    over_[i + 1] = over_[i] + (excess_[i] > 0 ? 1 : 0);
  }
}

void WalkShrinker::find_candidates(const ShrinkManner& manner, std::span<const DropPoint> spared) {
  candidates_.clear();
  for (const Idle& idle : walk_.kept()) {
    const int32_t helped = over_[at(idle.to)] - over_[at(idle.from) + 1];
    if (helped == 0 || bytes(idle) == 0 || contains(spared, idle.place)) continue;
    const std::optional<double> cost = walk_.cost(idle, manner.share_of_early);
    if (!cost) continue;
    candidates_.push_back(
        {idle, bytes(idle),
         *cost * noise_at(idle.place, manner) / std::pow(helped, manner.by_runs)});
  }
}

WalkShrinker::Candidate* WalkShrinker::cheapest_at(int32_t run) {
  Candidate* cheapest = nullptr;
  double least = 0;
  for (Candidate& it : candidates_) {
    if (run <= it.idle.from || it.idle.to <= run) continue;
    const double price = it.cost / static_cast<double>(std::min(it.bytes, excess_[at(run)]));
    if (cheapest != nullptr && price >= least) continue;
    cheapest = &it;
    least = price;
  }
  return cheapest;
}

// The most expensive drops are taken back first, each with a walk that must fit and be no slower.
double WalkShrinker::take_back(Drops& drops) {
  int fails_left = 12;
  double seconds = walk_.extra_seconds();
  std::vector<DropPoint> tried;
  for (bool changed = true; changed && has_work_left();) {
    changed = false;
    for (const DropPoint& place : needless()) {
      if (contains(tried, place)) continue;
      tried.push_back(place);
      drops.change(place);
      changed = walk_.run(drops) && fits() && walk_.extra_seconds() <= seconds;
      if (changed) break;
      drops.change(place);
      if (--fails_left == 0) return seconds;
    }
    seconds = changed ? walk_.extra_seconds() : seconds;
  }
  return seconds;
}

// The points at which values were dropped although there was room for them.
std::vector<DropPoint> WalkShrinker::needless() const {
  std::vector<Idle> found;
  for (const Idle& dropped : walk_.dropped())
    if (has_room(dropped)) found.push_back(dropped);
  std::ranges::stable_sort(found, std::ranges::greater(), [&](const Idle& dropped) {
    return facts_.task(facts_.makers[at(dropped.place.owner)]).seconds;
  });
  std::vector<DropPoint> points;
  for (const Idle& dropped : found) points.push_back(dropped.place);
  return points;
}

bool WalkShrinker::has_room(const Idle& dropped) const {
  const auto live = walk_.live_bytes().begin();
  const int64_t most = budget_bytes_ - bytes(dropped);
  return std::all_of(live + dropped.from + 1, live + dropped.to,
                     [&](int64_t it) { return it <= most; });
}

}  // namespace plimsoll::plan
