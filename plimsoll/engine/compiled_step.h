// A step ready to run again and again: kernels, their order, and the place of every byte. Running
// it allocates nothing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/engine/memory/arena.h"
#include "plimsoll/engine/memory/step_memory.h"
#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/engine/program.h"
#include "plimsoll/plan/recompute/recompute.h"
#include "plimsoll/plan/recompute/spill.h"
#include "plimsoll/plan/step_plan.h"

namespace plimsoll {

class SpillFile;

struct StepOptions {
  // The arena is kept to this where that is possible, at the cost of time; memory() tells whether
  // it is.
  std::optional<int64_t> arena_budget = {};
  bool keep_signs = false;        // of a relu only the signs, where nothing else is asked for
  bool early_updates = false;     // weights do not wait for the gates: a step that fails cannot be
                                  // taken back
  bool recompute = true;          // values may be computed again
  std::string spill_folder = {};  // or else go to a file there; empty: they may not
};

class CompiledStep {
 public:
  explicit CompiledStep(const StepGraph& graph, const StepOptions& options = {});
  CompiledStep(const CompiledStep&) = delete;
  CompiledStep& operator=(const CompiledStep&) = delete;

  // The bytes of input `slot` for the next runs; they must outlive them.
  void bind_input(int slot, const std::byte* data);
  // Replaces the data of the constants, in the order of the lowered graph.
  void bind_constants(std::vector<StoragePtr> data);

  // From here on whoever runs the step sees to it that its variables live: the memory of a model
  // that is gone is not held by a step that can never run again.
  void leave_variables();
  // Are those that it has left still there?
  bool has_variables() const;

  // Takes the arena and the file to spill to, so that their sizes show before the first run.
  void reserve();
  // Computes, looks at the gates, commits. Throws NotFinite, with every variable as it was, where a
  // gate is closed; an Error of a kernel (a label out of range) likewise leaves them alone.
  void run();
  // The same, and tells what each instruction took.
  using Timed = std::function<void(const Instruction& instruction, double seconds)>;
  void run_timed(const Timed& timed);

  // The buffer of an output: valid until the next run, or as long as the pointer is held, for a
  // buffer that is still held is left to its holder and replaced.
  const StoragePtr& output(int i) const { return output_buffers_[static_cast<size_t>(i)]; }

  const StepMemory& memory() const { return memory_; }
  const std::vector<PassTime>& pass_times() const { return pass_times_; }
  const Program& program() const { return program_; }
  const plan::StepProblem& problem() const { return problem_; }
  const plan::StepPlan& plan() const { return plan_; }

 private:
  struct Call {
    const Kernel* kernel = nullptr;
    size_t instruction = 0;
    int64_t scratch_offset = -1;
    KernelArguments arguments;
  };

  // Some way to keep to a budget, with the plan of it.
  template <class Step>
  struct Fitted {
    Step step;
    plan::StepPlan plan;
  };

  void make_kernels();
  void order_early_writes();
  bool reads_in_time(const plan::RecomputedStep& step) const;
  StepSaving fit_into(int64_t budget, const StepOptions& options);
  template <class Step, class Search>
  std::optional<Fitted<Step>> search_fit(int64_t budget, const Search& search) const;
  StepSaving adopt(Fitted<plan::RecomputedStep> fitted);
  StepSaving adopt(Fitted<plan::SpilledStep> fitted, const std::string& folder);
  template <class Step>
  void add_copies(const Step& step);
  void make_calls();
  void point_at_variables();
  void refresh_outputs();
  void set_pointer(int owner, std::byte* data);
  void check_gates() const;
  template <class RunCall>
  void run_calls(const RunCall& run_call);

  Program program_;
  std::vector<std::weak_ptr<VariableState>> left_variables_;
  std::vector<PassTime> pass_times_;
  std::vector<std::shared_ptr<const Kernel>> kernels_;  // one an instruction, null for a view
  plan::StepProblem problem_;
  plan::StepPlan plan_;
  std::vector<std::pair<int, int>> early_writes_;  // an instruction that reads a variable, and one
                                                   // that writes it before the gates
  StepMemory memory_;
  std::vector<int32_t> owners_;            // of each value: itself, or what it is a view of
  std::shared_ptr<SpillFile> spill_file_;  // null where nothing is spilled
  std::shared_ptr<Arena> arena_ = Arena::shared();
  std::byte* arena_base_ = nullptr;  // what the pointers were made for
  std::vector<StoragePtr> output_buffers_;
  std::vector<std::byte*> pointers_;            // the operands of all calls, one after another
  std::vector<std::vector<size_t>> positions_;  // of each owner, in pointers_
  std::vector<Call> calls_;                     // in the order they run
  size_t commit_begin_ = 0;                     // the calls before it compute
};

}  // namespace plimsoll
