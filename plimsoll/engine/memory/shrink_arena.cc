#include "plimsoll/engine/memory/shrink_arena.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "plimsoll/engine/memory/spill_file.h"
#include "plimsoll/plan/recompute/recompute.h"
#include "plimsoll/plan/recompute/spill.h"

namespace plimsoll {
namespace {

// Some way to keep to a budget, with the plan of it.
template <class Step>
struct Smaller {
  Step step;
  plan::StepPlan plan;
};
using Recomputed = Smaller<plan::RecomputedStep>;
using Spilled = Smaller<plan::SpilledStep>;

// Of plan::OffsetOptions, for each of the many arenas that are tried.
constexpr int64_t kWorkForSmall = 40'000'000, kWorkForAnything = 10'000'000;

// How small the arena of a step is made that stays in a budget.
enum class Fit {
  small,     // as small as it can be
  anything,  // that is in the budget, which is found sooner
};

// What is live may be within the budget and the offsets leave gaps: then less must be live.
template <class Step, class Search>
std::optional<Smaller<Step>> search_within(int64_t budget, Fit fit, const Search& search) {
  constexpr int kAttempts = 8;
  const plan::OffsetOptions quick =
      fit == Fit::small ? plan::OffsetOptions{.work = kWorkForSmall}
                        : plan::OffsetOptions{.work = kWorkForAnything, .enough_bytes = budget};
  int64_t target = budget;
  for (int i = 0; i < kAttempts && target > 0; ++i) {
    std::optional<Step> found = search(target);
    if (!found) return std::nullopt;
    plan::StepPlan plan = plan::plan_in_order(found->problem, found->order, quick);
    if (plan.arena_bytes <= budget) return Smaller<Step>{std::move(*found), std::move(plan)};
    target -= std::max(plan.arena_bytes - budget, budget / 256);
  }
  return std::nullopt;
}

// True if no copy of an instruction reads a variable that was written early.
bool reads_in_time(const StepCode& code, const plan::RecomputedStep& step) {
  std::vector<size_t> first(step.problem.tasks.size()), last(step.problem.tasks.size());
  for (size_t t = 0; t < step.order.size(); ++t) {
    const auto origin = static_cast<size_t>(step.task_origins[static_cast<size_t>(step.order[t])]);
    last[origin] = t;
    if (step.order[t] == static_cast<int32_t>(origin)) first[origin] = t;
  }
  return std::ranges::all_of(code.early_writes, [&](const auto& pair) {
    return last[static_cast<size_t>(pair.first)] < first[static_cast<size_t>(pair.second)];
  });
}

std::optional<Recomputed> recompute_to(const StepCode& code, int64_t budget, Fit fit) {
  const auto effort = fit == Fit::small ? plan::RecomputeEffort::full : plan::RecomputeEffort::any;
  return search_within<plan::RecomputedStep>(budget, fit, [&](int64_t target) {
    auto found = plan::recompute_within(code.problem, code.plan.order, target, effort);
    if (found && !reads_in_time(code, *found)) found.reset();
    return found;
  });
}

std::optional<Spilled> spill_to(const StepCode& code, int64_t budget, Fit fit) {
  return search_within<plan::SpilledStep>(budget, fit, [&](int64_t target) {
    return plan::spill_within(code.problem, code.plan.order, target);
  });
}

// Copies of instructions share the kernel of what they are copies of.
template <class Step>
void add_copies(StepCode& code, const Step& step) {
  Program& program = code.program;
  for (size_t v = program.values.size(); v < step.value_origins.size(); ++v)
    program.add_value(program.values[static_cast<size_t>(step.value_origins[v])]);
  for (size_t t = 0; t < step.problem.tasks.size(); ++t) {
    const plan::Task& task = step.problem.tasks[t];
    if (t >= program.instructions.size()) {
      const int32_t origin = step.task_origins[t];
      const bool is_copy = origin >= 0;
      program.instructions.push_back(is_copy ? program.instructions[static_cast<size_t>(origin)]
                                             : Instruction());
      code.kernels.push_back(is_copy ? code.kernels[static_cast<size_t>(origin)] : nullptr);
    }
    program.instructions[t].inputs.assign(task.inputs.begin(), task.inputs.end());
    program.instructions[t].outputs.assign(task.outputs.begin(), task.outputs.end());
  }
}

template <class Step>
void take_plan(StepCode& code, Smaller<Step>& smaller) {
  code.problem = std::move(smaller.step.problem);
  code.plan = std::move(smaller.plan);
  code.owners = plan::storage_owners(code.problem);
}

StepSaving adopt(StepCode& code, Recomputed recomputed) {
  const size_t instructions = code.program.instructions.size();
  add_copies(code, recomputed.step);
  take_plan(code, recomputed);
  return {.recomputed = static_cast<int64_t>(code.program.instructions.size() - instructions),
          .recompute_seconds = recomputed.step.extra_seconds};
}

StepSaving adopt(StepCode& code, Spilled spilled, const std::string& folder) {
  add_copies(code, spilled.step);
  Program& program = code.program;
  code.spill_file = std::make_shared<SpillFile>(folder, spilled.step.file_bytes);
  const std::vector<int> makers = program.makers();
  for (const plan::SpilledStep::Transfer& transfer : spilled.step.transfers) {
    const auto t = static_cast<size_t>(transfer.task);
    Instruction& instruction = program.instructions[t];
    const int value = transfer.is_store ? instruction.inputs[0] : instruction.outputs[0];
    const int64_t bytes = spilled.step.problem.values[static_cast<size_t>(value)].bytes;
    // It belongs to the layer that made the value.
    const int32_t origin = spilled.step.value_origins[static_cast<size_t>(value)];
    const Instruction& maker =
        program.instructions[static_cast<size_t>(makers[static_cast<size_t>(origin)])];
    instruction.scope = maker.scope;
    instruction.where = maker.where;
    instruction.op = transfer.is_store ? spill_store_op() : spill_load_op();
    code.kernels[t] = transfer.is_store ? make_spill_store(code.spill_file, transfer.offset, bytes)
                                        : make_spill_load(code.spill_file, transfer.offset, bytes);
  }
  take_plan(code, spilled);
  return {.spilled_bytes = spilled.step.file_bytes, .spill_seconds = spilled.step.extra_seconds};
}

// Spilling leaves hardly more than what one operation reads and writes, and is found quickly.
StepSaving shrink_quickly(StepCode& code, int64_t budget, const StepOptions& options) {
  if (!options.spill_folder.empty()) {
    auto spilled = spill_to(code, budget, Fit::anything);
    return spilled ? adopt(code, std::move(*spilled), options.spill_folder) : StepSaving();
  }
  if (!options.recompute) return {};
  auto recomputed = recompute_to(code, budget, Fit::anything);
  return recomputed ? adopt(code, std::move(*recomputed)) : StepSaving();
}

// A file is the last resort: it is looked at where computing again is not enough, or where it takes
// most of the step.
StepSaving shrink_to(StepCode& code, int64_t budget, const StepOptions& options) {
  std::optional<Recomputed> recomputed;
  if (options.recompute) recomputed = recompute_to(code, budget, Fit::small);
  double plain_seconds = 0;
  for (const plan::Task& task : code.problem.tasks) plain_seconds += task.seconds;
  const bool is_cheap = recomputed && recomputed->step.extra_seconds < plain_seconds / 2;
  if (!options.spill_folder.empty() && !is_cheap) {
    auto spilled = spill_to(code, budget, Fit::small);
    if (spilled && (!recomputed || spilled->step.extra_seconds < recomputed->step.extra_seconds))
      return adopt(code, std::move(*spilled), options.spill_folder);
  }
  if (!recomputed) return {};
  const double least = plan::least_recompute_seconds(code.problem, code.plan.order, budget);
  StepSaving saving = adopt(code, std::move(*recomputed));
  saving.least_seconds = least;
  return saving;
}

// The same step in the smallest arena that a short search finds.
template <class Step>
void tighten(Smaller<Step>& found) {
  plan::StepPlan plan =
      plan::plan_in_order(found.step.problem, found.plan.order, {.work = kWorkForSmall});
  if (plan.arena_bytes < found.plan.arena_bytes) found.plan = std::move(plan);
}

// The smallest that `search` finds between the least that is possible and the arena as it is, to a
// part in so many.
template <class Search>
auto bisect(int64_t least_bytes, int64_t arena_bytes, const Search& search)
    -> decltype(search(arena_bytes)) {
  constexpr int64_t kPrecision = 100;
  decltype(search(arena_bytes)) best;
  int64_t low = least_bytes - 1, high = arena_bytes;
  while (high - low > std::max<int64_t>(high / kPrecision, 4096)) {
    const int64_t middle = low + (high - low) / 2;
    auto found = search(middle);
    if (!found) {
      low = middle;
      continue;
    }
    high = std::min(middle, found->plan.arena_bytes);
    best = std::move(found);
  }
  if (best) tighten(*best);
  return best;
}

StepSaving shrink_most(StepCode& code, const StepOptions& options) {
  const int64_t arena = code.plan.arena_bytes, least = plan::least_live_bytes(code.problem);
  if (!options.spill_folder.empty()) {
    auto spilled =
        bisect(least, arena, [&](int64_t budget) { return spill_to(code, budget, Fit::anything); });
    if (spilled) return adopt(code, std::move(*spilled), options.spill_folder);
  } else if (options.recompute) {
    auto recomputed = bisect(
        least, arena, [&](int64_t budget) { return recompute_to(code, budget, Fit::anything); });
    if (recomputed) return adopt(code, std::move(*recomputed));
  }
  code.plan = plan::plan_in_order(code.problem, std::move(code.plan.order));
  return {};
}

}  // namespace

StepSaving shrink_arena(StepCode& code, const StepOptions& options) {
  if (options.smallest) return shrink_most(code, options);
  if (!options.arena_budget || code.plan.arena_bytes <= *options.arena_budget) return {};
  if (plan::least_live_bytes(code.problem) > *options.arena_budget) return {};
  if (options.quick) return shrink_quickly(code, *options.arena_budget, options);
  return shrink_to(code, *options.arena_budget, options);
}

}  // namespace plimsoll
