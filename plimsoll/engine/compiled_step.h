// A step ready to run again and again: kernels, their order, and the place of every byte. Running
// it allocates nothing.
#pragma once

#include <memory>
#include <vector>

#include "plimsoll/engine/compile_step.h"
#include "plimsoll/engine/memory/arena.h"
#include "plimsoll/engine/step_watch.h"

namespace plimsoll {

class CompiledStep {
 public:
  explicit CompiledStep(StepCode code);
  explicit CompiledStep(const StepGraph& graph, const StepOptions& options = {})
      : CompiledStep(compile_step(graph, options)) {}
  CompiledStep(const CompiledStep&) = delete;
  CompiledStep& operator=(const CompiledStep&) = delete;

  // The bytes of input `slot` for the next runs; they must outlive them.
  void bind_input(int slot, const std::byte* data);
  // Replaces the data of the constants, in the order of the lowered graph.
  void bind_constants(std::vector<StoragePtr> data);

  // From here on the step does not keep its variables alive; whoever runs it must. So a step that
  // can never run again does not hold the memory of a model that is gone.
  void leave_variables();
  // True if the variables that it has left are still alive.
  bool has_variables() const;

  // Takes the arena and the file to spill to, so that their sizes show before the first run.
  void reserve();
  // Computes, looks at the gates, commits. Throws NotFinite, with every variable as it was, where a
  // gate is closed; an Error of a kernel (a label out of range) likewise leaves them alone.
  void run();
  // The same, and shows each instruction before and after it runs.
  void run_watched(StepWatch& watch);
  // Compute and look at the gates, and commit nothing. Not for a step that updates early.
  void compute();
  void compute_watched(StepWatch& watch);

  // The buffer of an output: valid until the next run, or as long as the pointer is held, because a
  // run replaces a buffer that is still held.
  const StoragePtr& output(int i) const { return output_buffers_[static_cast<size_t>(i)]; }

  const StepMemory& memory() const { return code_.memory; }
  const std::vector<PassTime>& pass_times() const { return code_.pass_times; }
  const Program& program() const { return code_.program; }
  const plan::StepProblem& problem() const { return code_.problem; }
  const plan::StepPlan& plan() const { return code_.plan; }

 private:
  struct Call {
    const Kernel* kernel = nullptr;
    size_t instruction = 0;
    int64_t scratch_offset = -1;
    KernelArguments arguments;
  };

  void make_calls();
  void point_at_variables();
  void refresh_outputs();
  void set_pointer(int owner, std::byte* data);
  void check_gates() const;
  void show(StepWatch& watch, const Call& call) const;
  template <class RunCall>
  void compute_calls(const RunCall& run_call);
  template <class RunCall>
  void commit_calls(const RunCall& run_call);

  StepCode code_;
  std::vector<std::weak_ptr<VariableState>> left_variables_;
  std::shared_ptr<Arena> arena_ = Arena::shared();
  std::byte* arena_base_ = nullptr;  // what the pointers were made for
  std::vector<StoragePtr> output_buffers_;
  std::vector<std::byte*> pointers_;            // the operands of all calls, one after another
  std::vector<std::vector<size_t>> positions_;  // of each owner, in pointers_
  std::vector<Call> calls_;                     // in the order they run
  size_t commit_begin_ = 0;                     // the calls before it compute
};

}  // namespace plimsoll
