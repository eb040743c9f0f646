#include <algorithm>
#include <map>
#include <vector>

#include "plimsoll/plan/recompute/recompute.h"
#include "plimsoll/plan/recompute/recompute_walk.h"

namespace plimsoll::plan {
namespace {

// The bytes that one run of a task would bring back, and the seconds that it takes.
struct Remake {
  double bytes = 0, seconds = 0;

  double price() const { return seconds / bytes; }
};

// The values that are live but not used at a moment, by the tasks that make them.
std::vector<Remake> waiting_at(int32_t moment, const RecomputeFacts& facts,
                               const std::vector<Idle>& idles) {
  std::map<int32_t, Remake> remakes;
  for (const Idle& idle : idles) {
    if (moment <= idle.from || idle.to <= moment) continue;
    const int32_t maker = facts.makers[static_cast<size_t>(idle.place.owner)];
    Remake& remake = remakes[maker];
    remake.bytes += static_cast<double>(facts.rounded(facts.bytes(idle.place.owner)));
    remake.seconds = facts.task(maker).seconds;
  }
  std::vector<Remake> all;
  for (const auto& [maker, remake] : remakes)
    if (remake.bytes > 0) all.push_back(remake);
  return all;
}

// The price of the cheapest way to free this many bytes, if a part of a value could be freed for a
// part of its price.
double least_for(double bytes, std::vector<Remake> remakes) {
  std::ranges::sort(remakes, {}, &Remake::price);
  double seconds = 0;
  for (const Remake& remake : remakes) {
    if (bytes <= 0) break;
    seconds += remake.seconds * std::min(1.0, bytes / remake.bytes);
    bytes -= remake.bytes;
  }
  return seconds;
}

}  // namespace

double least_recompute_seconds(const StepProblem& problem, std::span<const int32_t> order,
                               int64_t budget_bytes) {
  const RecomputeFacts facts(problem, order);
  RecomputeWalk walk(facts);
  walk.run(Drops(facts));
  double most = 0;
  for (int32_t moment = 0; moment < static_cast<int32_t>(walk.live_bytes().size()); ++moment) {
    const int64_t over = walk.live_bytes()[static_cast<size_t>(moment)] - budget_bytes;
    if (over > 0)
      most = std::max(most,
                      least_for(static_cast<double>(over), waiting_at(moment, facts, walk.kept())));
  }
  return most;
}

}  // namespace plimsoll::plan
