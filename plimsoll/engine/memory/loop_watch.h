// LoopWatch: what the training loop of this thread keeps from step to step. It reports lines whose
// tensors grow, each line once per reason: growth over 1,000 steps, growth over 3 epochs, and
// growth when the memory budget is nearly used up.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/memory_budget.h"
#include "plimsoll/graph/tensor_growth.h"

namespace plimsoll {

class LoopWatch {
 public:
  static constexpr int64_t kStepsBetweenLooks = 100;
  static constexpr int kLooksOfSteps = 10, kLooksOfEpochs = 3, kLooksOfReach = 2;

  // This thread's.
  static LoopWatch& current();

  LoopWatch() = default;
  // Looks at memory at every step, whatever that costs.
  static LoopWatch without_pause();

  // Call before a step that trains. Costs next to nothing but at every hundredth step and every
  // hundredth of a second. DoesNotFit where tensors are kept and the process has come over its
  // budget.
  void begin_step();
  // Call before a batch of fit, whose own steps keep nothing: looks only where there are more
  // tensors than a hundred batches ago, so that no step allocates.
  void begin_batch();
  // What is held now is where the epochs begin.
  void begin_epochs();
  void end_epoch();
  // The data of a loop written by hand begins, and comes to its end: an epoch, if there was a step.
  void begin_data();
  void end_data();

 private:
  using Clock = std::chrono::steady_clock;

  void look_at_steps();
  void look_at_memory();
  // What the budget was a moment ago: to ask the machine takes time.
  const MemoryBudget& recent_budget();
  // Those of them that take a share of the budget worth naming.
  std::vector<GrownLine> weighty(std::vector<GrownLine> lines);
  void warn_in_reach(int64_t held_bytes, std::span<const GrownLine> grown,
                     const std::string& since);
  void refuse_over_budget(std::span<const GrownLine> grown);
  void report_growth(std::span<const GrownLine> lines, const std::string& cause,
                     const std::string& since);

  TensorGrowth steps_, epochs_;
  TensorGrowth reach_;  // looked at where the budget comes into sight
  bool pauses_ = true;
  int64_t step_count_ = 0, steps_at_epoch_ = 0;
  int64_t batch_count_ = 0, node_count_ = 0;  // of fit, and when it last looked
  Clock::time_point next_look_ = {};
  std::optional<MemoryBudget> budget_;
  Clock::time_point budget_until_ = {};
  std::optional<int64_t> limit_;                            // that the budget was made for
  std::set<std::pair<std::string, std::string>> reported_;  // line and cause
};

}  // namespace plimsoll
