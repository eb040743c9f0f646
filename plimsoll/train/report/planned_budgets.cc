#include "plimsoll/train/report/planned_budgets.h"

#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/train/data/record_specs.h"
#include "plimsoll/train/loop.h"

namespace plimsoll {
namespace {

// Less cannot be saved by much: processes differ by more.
constexpr int64_t kLeastArena = int64_t{4} << 20;

PlannedBudget as_budget(const MemoryPlan& plan, int64_t budget_bytes) {
  return {.budget_bytes = budget_bytes,
          .peak_bytes = plan.peak_bytes,
          .arena_bytes = plan.arena_bytes,
          .step_seconds = plan.step_seconds,
          .fits = budget_bytes == 0 || plan.peak_bytes <= budget_bytes,
          .saving = plan.saving_text()};
}

std::vector<PlannedBudget> plan_all(Model& model, const Specs& specs, const FieldMeaning& meaning,
                                    const BudgetRequest& request) {
  const Stopwatch watch;
  const auto planned = [&](int64_t bytes) {
    const PlanOptions options{.budget_bytes = bytes, .saving = request.saving};
    return as_budget(model.plan(specs, request.batch_size, meaning, options), bytes);
  };
  const MemoryPlan plain = model.plan(specs, request.batch_size, meaning);
  const int64_t rest = plain.peak_bytes - plain.arena_bytes;
  std::vector<PlannedBudget> budgets = {as_budget(plain, 0)};
  if (plain.arena_bytes >= kLeastArena)
    for (const double share : {0.75, 0.5, 0.25}) {
      if (!budgets.back().fits || watch.seconds() > request.most_seconds) break;
      const auto arena = static_cast<int64_t>(share * static_cast<double>(plain.arena_bytes));
      budgets.push_back(planned(rest + arena));
    }
  if (watch.seconds() > request.most_seconds) return budgets;
  const PlanOptions none{.budget_bytes = rest, .saving = request.saving};
  const Advice advice = model.advise(specs, request.batch_size, meaning, none);
  if (advice.enough_bytes > 0 && advice.enough_bytes < plain.peak_bytes)
    budgets.push_back(planned(advice.enough_bytes));
  return budgets;
}

}  // namespace

Part<std::vector<PlannedBudget>> plan_budgets(Model model, const Dataset& data,
                                              const BudgetRequest& request) {
  if (!model.compiled()) return {{}, "the model of the run is saved without compile settings."};
  if (request.batch_size <= 0) return {{}, "run.json does not say the size of a batch."};
  try {
    if (data.source != nullptr) return {plan_all(model, data.source->fields(), data, request)};
    return {plan_all(model, record_specs(model, {}), {}, request)};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

}  // namespace plimsoll
