#include "plimsoll/train/memory/hold_passes.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/engine/memory/arena.h"
#include "plimsoll/train/memory/advice.h"
#include "plimsoll/train/memory/run_planner.h"

namespace plimsoll {
namespace {

constexpr int64_t kMebibyte = int64_t{1} << 20;

int64_t bytes_of_callbacks(const PassesToHold& held) {
  int64_t bytes = 0;
  for (const AnyCallback& callback : held.callbacks) bytes += callback->planned_bytes(held.model);
  return bytes;
}

int64_t arena_of(const BatchStep& batch) {
  int64_t bytes = 0;
  for (const StepPtr& step : {batch.parts.large, batch.parts.small, batch.divisors.large,
                              batch.divisors.small, batch.end})
    if (step != nullptr) bytes = std::max(bytes, step->memory().arena_bytes);
  return bytes;
}

// What the process will take beyond what it holds.
int64_t bytes_to_take(const PassesToHold& held, const std::vector<PassPlan>& plans) {
  int64_t bytes = held.kept_bytes + bytes_of_callbacks(held), arena = 0;
  for (const PassPlan& plan : plans) {
    bytes += plan.loader_bytes + output_bytes_of(plan);
    arena = std::max({arena, arena_of(plan.full), arena_of(plan.last)});
  }
  for (const Variables& variables : {held.model.weights(), held.steps.part_sums()})
    for (const Variable& variable : variables) bytes += variable.state()->storage.untouched_bytes();
  const int64_t there = Arena::shared()->bytes();
  return bytes + (arena > there ? Storage::footprint(arena) - there : 0);
}

bool is_within(const PassesToHold& held, const std::vector<PassPlan>& plans) {
  const int64_t bytes = bytes_to_take(held, plans);
  // Next to nothing more is taken, as when a program predicts again and again.
  if (!held.budget.is_given && bytes <= kMebibyte / 4) return true;
  const int64_t slack = std::clamp(held.budget.bytes / 128, kMebibyte, 8 * kMebibyte);
  return process_memory().resident_bytes + bytes + slack <= held.budget.bytes;
}

RunRequest request_of(const PassesToHold& held) {
  RunRequest request{.network = held.model.network(),
                     .steps = held.steps,
                     .saving = held.saving,
                     .training = held.passes,
                     .callbacks = held.callbacks,
                     .model = &held.model,
                     .phase = held.what,
                     .kept_bytes = held.kept_bytes};
  request.saving.micro_batches &= held.may_part;
  return request;
}

[[noreturn]] void refuse(const PassesToHold& held, RunPlanner& planner) {
  const MemoryPlan plan = planner.memory();
  throw DoesNotFit(fmt::format(
      "{}: at a batch of {} it takes {} at its peak, in {}; it can be done in {}; the memory is {}",
      held.what, batch_size_of(held.passes.back()), format_bytes(plan.peak_bytes),
      plan.peak_layer.empty() ? "the step" : plan.peak_layer, enough_text(enough_bytes(planner)),
      held.budget.to_string()));
}

}  // namespace

std::vector<PassPlan> hold_passes(const PassesToHold& held) {
  std::vector<PassPlan> plans;
  for (const PassData& pass : held.passes)
    plans.push_back(plan_pass(held.steps, pass, held.steps.saving()));
  if (is_within(held, plans)) return plans;
  plans.clear();
  RunPlanner planner(request_of(held), held.budget.bytes);
  if (planner.plan().peak_bytes > held.budget.bytes) refuse(held, planner);
  return planner.take_training();
}

MemoryBudget budget_of_run(const std::string& memory, ReadingOptions& reading) {
  constexpr int64_t kShareOfReading = 16;
  const MemoryBudget budget = memory_budget_here(memory);
  if (budget.asked_bytes > 0)
    report({.severity = Finding::Severity::warning,
            .where = std::string(budget.giver),
            .what = fmt::format("asks for {}, but this machine gives {}; the run keeps to that",
                                format_bytes(budget.asked_bytes), format_bytes(budget.bytes))});
  if (!reading.ahead_bytes) reading.ahead_bytes = budget.bytes / kShareOfReading;
  return budget;
}

}  // namespace plimsoll
