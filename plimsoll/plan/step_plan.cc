#include "plimsoll/plan/step_plan.h"

#include <utility>

#include "plimsoll/plan/lifetimes.h"
#include "plimsoll/plan/order.h"

namespace plimsoll::plan {
namespace {

std::vector<int64_t> offsets_of(const std::vector<int32_t>& buffers,
                                const OffsetSolution& solution) {
  std::vector<int64_t> offsets;
  offsets.reserve(buffers.size());
  for (const int32_t buffer : buffers) {
    offsets.push_back(buffer == -1 ? -1 : solution.offsets[buffer]);
  }
  return offsets;
}

}  // namespace

StepPlan plan_step(const StepProblem& problem, const OffsetOptions& options) {
  return plan_in_order(problem, choose_order(problem), options);
}

StepPlan plan_in_order(const StepProblem& problem, std::vector<int32_t> order,
                       const OffsetOptions& options) {
  StepPlan plan;
  plan.order = std::move(order);
  Lifetimes lifetimes = find_lifetimes(problem, plan.order);
  const OffsetSolution solution = assign_offsets(lifetimes.offsets, options);
  plan.value_offsets = offsets_of(lifetimes.value_buffers, solution);
  plan.scratch_offsets = offsets_of(lifetimes.scratch_buffers, solution);
  plan.overwrote = std::move(lifetimes.overwrote);
  plan.arena_bytes = solution.arena_bytes;
  const LivePeak peak = live_peak(lifetimes.offsets);
  plan.max_live_bytes = peak.bytes;
  if (!plan.order.empty()) plan.peak_task = plan.order[peak.moment];
  return plan;
}

}  // namespace plimsoll::plan
