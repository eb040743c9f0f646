// How a compiled step keeps to a budget: ways are found by the planner and become instructions.
#include <algorithm>
#include <utility>

#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/engine/memory/spill_file.h"

namespace plimsoll {

// What is live may fit and the offsets leave gaps: then less must be live.
template <class Step, class Search>
std::optional<CompiledStep::Fitted<Step>> CompiledStep::search_fit(int64_t budget,
                                                                   const Search& search) const {
  constexpr int kAttempts = 8;
  constexpr plan::OffsetOptions kQuick = {.work = 40'000'000};
  int64_t target = budget;
  for (int i = 0; i < kAttempts && target > 0; ++i) {
    std::optional<Step> found = search(target);
    if (!found) return std::nullopt;
    plan::StepPlan plan = plan::plan_in_order(found->problem, found->order, kQuick);
    if (plan.arena_bytes <= budget) return Fitted<Step>{std::move(*found), std::move(plan)};
    target -= std::max(plan.arena_bytes - budget, budget / 256);
  }
  return std::nullopt;
}

// A file is the last resort: it is looked at where computing again is not enough, or where it takes
// most of the step.
StepSaving CompiledStep::fit_into(int64_t budget, const StepOptions& options) {
  std::optional<Fitted<plan::RecomputedStep>> recomputed;
  if (options.recompute)
    recomputed = search_fit<plan::RecomputedStep>(budget, [&](int64_t target) {
      auto found = plan::recompute_to_fit(problem_, plan_.order, target);
      if (found && !reads_in_time(*found)) found.reset();
      return found;
    });
  double plain_seconds = 0;
  for (const plan::Task& task : problem_.tasks) plain_seconds += task.seconds;
  const bool is_cheap = recomputed && recomputed->step.extra_seconds < plain_seconds / 2;
  if (!options.spill_folder.empty() && !is_cheap) {
    auto spilled = search_fit<plan::SpilledStep>(
        budget, [&](int64_t target) { return plan::spill_to_fit(problem_, plan_.order, target); });
    if (spilled && (!recomputed || spilled->step.extra_seconds < recomputed->step.extra_seconds))
      return adopt(std::move(*spilled), options.spill_folder);
  }
  if (!recomputed) return {};
  const double least = plan::least_recompute_seconds(problem_, plan_.order, budget);
  StepSaving saving = adopt(std::move(*recomputed));
  saving.least_seconds = least;
  return saving;
}

// Does no copy of an instruction read a variable that was written early?
bool CompiledStep::reads_in_time(const plan::RecomputedStep& step) const {
  std::vector<size_t> first(step.problem.tasks.size()), last(step.problem.tasks.size());
  for (size_t t = 0; t < step.order.size(); ++t) {
    const auto origin = static_cast<size_t>(step.task_origins[static_cast<size_t>(step.order[t])]);
    last[origin] = t;
    if (step.order[t] == static_cast<int32_t>(origin)) first[origin] = t;
  }
  return std::ranges::all_of(early_writes_, [&](const auto& pair) {
    return last[static_cast<size_t>(pair.first)] < first[static_cast<size_t>(pair.second)];
  });
}

// Copies of instructions share the kernel of what they are copies of.
template <class Step>
void CompiledStep::add_copies(const Step& step) {
  for (size_t v = program_.values.size(); v < step.value_origins.size(); ++v)
    program_.add_value(program_.values[static_cast<size_t>(step.value_origins[v])]);
  for (size_t t = 0; t < step.problem.tasks.size(); ++t) {
    const plan::Task& task = step.problem.tasks[t];
    if (t >= program_.instructions.size()) {
      const int32_t origin = step.task_origins[t];
      const bool is_copy = origin >= 0;
      program_.instructions.push_back(is_copy ? program_.instructions[static_cast<size_t>(origin)]
                                              : Instruction());
      kernels_.push_back(is_copy ? kernels_[static_cast<size_t>(origin)] : nullptr);
    }
    program_.instructions[t].inputs.assign(task.inputs.begin(), task.inputs.end());
    program_.instructions[t].outputs.assign(task.outputs.begin(), task.outputs.end());
  }
}

StepSaving CompiledStep::adopt(Fitted<plan::RecomputedStep> fitted) {
  const size_t instructions = program_.instructions.size();
  add_copies(fitted.step);
  problem_ = std::move(fitted.step.problem);
  plan_ = std::move(fitted.plan);
  owners_ = plan::storage_owners(problem_);
  return {.recomputed = static_cast<int64_t>(program_.instructions.size() - instructions),
          .recompute_seconds = fitted.step.extra_seconds};
}

StepSaving CompiledStep::adopt(Fitted<plan::SpilledStep> fitted, const std::string& folder) {
  add_copies(fitted.step);
  spill_file_ = std::make_shared<SpillFile>(folder, fitted.step.file_bytes);
  const std::vector<int> makers = program_.makers();
  for (const plan::SpilledStep::Transfer& transfer : fitted.step.transfers) {
    const auto t = static_cast<size_t>(transfer.task);
    Instruction& instruction = program_.instructions[t];
    const int value = transfer.is_store ? instruction.inputs[0] : instruction.outputs[0];
    const int64_t bytes = fitted.step.problem.values[static_cast<size_t>(value)].bytes;
    // It belongs to the layer that made the value.
    const int32_t origin = fitted.step.value_origins[static_cast<size_t>(value)];
    const Instruction& maker =
        program_.instructions[static_cast<size_t>(makers[static_cast<size_t>(origin)])];
    instruction.scope = maker.scope;
    instruction.where = maker.where;
    instruction.op = transfer.is_store ? spill_store_op() : spill_load_op();
    kernels_[t] = transfer.is_store ? make_spill_store(spill_file_, transfer.offset, bytes)
                                    : make_spill_load(spill_file_, transfer.offset, bytes);
  }
  problem_ = std::move(fitted.step.problem);
  plan_ = std::move(fitted.plan);
  owners_ = plan::storage_owners(problem_);
  return {.spilled_bytes = fitted.step.file_bytes, .spill_seconds = fitted.step.extra_seconds};
}

}  // namespace plimsoll
