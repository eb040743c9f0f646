#include "plimsoll/plan/recompute/recompute.h"

#include "plimsoll/plan/recompute/recompute_record.h"
#include "plimsoll/plan/recompute/recompute_search.h"

namespace plimsoll::plan {

std::optional<RecomputedStep> recompute_within(const StepProblem& problem,
                                               std::span<const int32_t> order, int64_t budget_bytes,
                                               RecomputeEffort effort) {
  const RecomputeFacts facts(problem, order);
  const std::optional<Drops> drops =
      RecomputeSearch(facts, budget_bytes).run(effort == RecomputeEffort::any);
  if (!drops) return std::nullopt;
  // The search does not look at later stages, in which nothing can be dropped.
  RecomputeWalk walk(facts);
  if (!walk.run(*drops, true) || walk.peak_bytes() > budget_bytes) return std::nullopt;
  return record(facts, walk.runs());
}

}  // namespace plimsoll::plan
