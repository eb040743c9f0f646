// RunPlanner: the memory of a run, planned in one way of saving after another. Nothing is taken
// while it plans: weights may be reserved only, and loaders are known by their bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/engine/memory/hold_to_budget.h"
#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/memory/memory_plan.h"
#include "plimsoll/train/memory/saving_options.h"
#include "plimsoll/train/steps/data_pass.h"

namespace plimsoll {

// What is to run.
struct RunRequest {
  const Network& network;
  ModelSteps& steps;
  SavingOptions saving = {};
  std::vector<PassData> training;  // one per bucket; the largest is last. Or those of an evaluation
  std::vector<PassData> validation = {};
  Callbacks callbacks = {};  // what they will keep of `model` is planned too
  const Model* model = nullptr;
  const char* phase = "training";
  int64_t kept_bytes = 0;      // that the results will take
  bool tells_progress = true;  // by one finding, where planning takes longer than a second
  // If given, the program is taken to be of this size, whatever it has compiled since.
  std::optional<int64_t> baseline_bytes = {};
};

// How many steps are compiled for it: a last, smaller batch has one of its own.
int64_t step_count(const RunRequest& request);

// What a plan may take so that another process, which may be a little larger, stays in the budget.
int64_t safe_bytes(int64_t budget_bytes);

class RunPlanner final : public Candidates {
 public:
  RunPlanner(RunRequest request, std::optional<int64_t> budget_bytes);

  // The plan of the fastest way, as predicted, that stays in the budget; a plan that is over it
  // where none does. Without a budget nothing is saved that the options do not force. Data is read
  // ahead only where that fits. Given a budget, it measures the speed of the machine if the run
  // takes more memory than that.
  const MemoryPlan& plan();
  // True if another process, which may be a little larger, finds a way to stay in the budget. Takes
  // a fraction of the time of plan(); then nothing is compiled.
  bool fits_safely();
  // The least memory, to a few per cent, in which another process finds a way. Then nothing is
  // compiled.
  int64_t least_budget();
  // The same of this process.
  int64_t least_peak_bytes();
  // What the process has taken to plan, if that is more than it took before.
  int64_t planning_peak_bytes() const;
  // The largest size of the program that was measured.
  int64_t largest_baseline() const { return largest_baseline_; }

  // Of the plan.
  const MemoryPlan& memory() const { return plan_; }
  std::vector<PassPlan> take_training();
  std::vector<PassPlan> take_validation();

  SavingWays ways() const override;
  bool may_part() override;
  Trial compile(const Saving& saving) override;

 private:
  std::optional<std::string> bar() const;
  int64_t forced_part() const;
  int64_t reachable(int64_t bytes, const Saving& plain);
  bool measure_speed(const Trial& plain) const;
  void hold(const std::optional<Trial>& plain);
  void read_nothing_ahead();
  void drop_steps();
  void tell_progress();

  RunRequest request_;
  std::optional<int64_t> budget_bytes_;
  int64_t past_peak_bytes_;  // of the process, before it planned
  int64_t largest_baseline_ = 0, code_bytes_ = 0;
  std::optional<bool> may_part_;
  std::optional<int64_t> least_peak_;  // if plan() has looked for it
  std::vector<PassPlan> training_, validation_;
  MemoryPlan plan_;
  Stopwatch watch_;
};

}  // namespace plimsoll
