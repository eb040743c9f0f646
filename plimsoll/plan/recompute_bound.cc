#include <algorithm>

#include "plimsoll/plan/recompute.h"
#include "plimsoll/plan/recompute_walk.h"

namespace plimsoll::plan {

double least_recompute_seconds(const StepProblem& problem, std::span<const int32_t> order,
                               int64_t budget_bytes) {
  const RecomputeFacts facts(problem, order);
  RecomputeWalk walk(facts);
  walk.run(Drops(facts));
  const auto seconds = [&](const Idle& idle) {
    return facts.task(facts.makers[static_cast<size_t>(idle.place.owner)]).seconds;
  };
  const auto bytes = [&](const Idle& idle) {
    return static_cast<double>(facts.rounded(facts.bytes(idle.place.owner)));
  };
  std::vector<Idle> idles = walk.kept();
  std::ranges::sort(idles, {}, [&](const Idle& idle) { return seconds(idle) / bytes(idle); });
  double most = 0;
  for (int32_t run = 0; run < static_cast<int32_t>(walk.live_bytes().size()); ++run) {
    auto over = static_cast<double>(walk.live_bytes()[static_cast<size_t>(run)] - budget_bytes);
    double least = 0;
    for (const Idle& idle : idles) {
      if (over <= 0) break;
      if (run <= idle.from || idle.to <= run) continue;
      least += seconds(idle) * std::min(1.0, over / bytes(idle));
      over -= bytes(idle);
    }
    most = std::max(most, least);
  }
  return most;
}

}  // namespace plimsoll::plan
