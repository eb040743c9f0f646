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
};

class RunPlanner final : public Candidates {
 public:
  // Measures the speed of the machine where the budget has room for that.
  RunPlanner(RunRequest request, std::optional<int64_t> budget_bytes);

  // The plan of the fastest way, as predicted, that stays in the budget, or of the smallest that
  // was found. Without a budget nothing is saved that the options do not force. Data is read ahead
  // only where that fits.
  const MemoryPlan& plan();
  // The least memory, to a few per cent, in which plan() finds a way. Then nothing is compiled.
  int64_t least_budget();

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
  void hold();
  void tell_progress();

  RunRequest request_;
  std::optional<int64_t> budget_bytes_;
  int64_t past_peak_bytes_;  // of the process, before it planned
  std::vector<PassPlan> training_, validation_;
  MemoryPlan plan_;
  Stopwatch watch_;
};

}  // namespace plimsoll
