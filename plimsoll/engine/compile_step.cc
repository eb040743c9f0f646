#include "plimsoll/engine/compile_step.h"

#include "plimsoll/engine/memory/shrink_arena.h"
#include "plimsoll/engine/predict_seconds.h"
#include "plimsoll/kernels/vector_target.h"

namespace plimsoll {
namespace {

// A wider element would be written over ones that are not read yet. The buffer of a narrow input
// may have room for it, if the input took the place of a wide value itself.
bool is_wider(const Program& program, const Instruction& instruction, const Overwrite& row) {
  const Spec& in = program.spec(instruction.inputs[static_cast<size_t>(row.input)]);
  const Spec& out = program.spec(instruction.outputs[static_cast<size_t>(row.output)]);
  return size_of(out.dtype) > size_of(in.dtype);
}

// The planner's task for one instruction; a view has no kernel.
plan::Task task_of(const Program& program, const Instruction& instruction, const Kernel* kernel) {
  plan::Task task;
  task.inputs.assign(instruction.inputs.begin(), instruction.inputs.end());
  task.outputs.assign(instruction.outputs.begin(), instruction.outputs.end());
  task.stage = static_cast<int32_t>(instruction.stage);
  task.may_repeat = instruction.stage == Stage::compute;
  if (kernel == nullptr) return task;
  task.scratch_bytes = kernel->scratch_bytes();
  for (const Overwrite& row : instruction.op->may_overwrite())
    if (!is_wider(program, instruction, row)) task.may_overwrite.push_back({row.input, row.output});
  return task;
}

KernelPtr make_kernel(const Program& program, const Instruction& instruction) {
  kernels::limit_vector_target();
  Specs in, out;
  std::vector<Layout> in_layouts, out_layouts;
  for (int v : instruction.inputs) {
    in.push_back(program.spec(v));
    in_layouts.push_back(program.values[static_cast<size_t>(v)].layout);
  }
  for (int v : instruction.outputs) {
    out.push_back(program.spec(v));
    out_layouts.push_back(program.values[static_cast<size_t>(v)].layout);
  }
  return instruction.op->kernel({in, out, in_layouts, out_layouts});
}

// A value that no instruction makes any more, after the passes, takes no memory.
void describe_values(StepCode& code) {
  const Program& program = code.program;
  const std::vector<int> makers = program.makers();
  for (size_t v = 0; v < program.values.size(); ++v) {
    const bool external = program.values[v].home != Home::arena;
    const bool exists = external || makers[v] >= 0;
    code.problem.values.push_back(
        {exists ? program.spec(static_cast<int>(v)).bytes() : 0, external});
  }
}

void make_kernels(StepCode& code) {
  for (const Instruction& instruction : code.program.instructions) {
    if (instruction.op->is_view()) {
      code.problem.values[static_cast<size_t>(instruction.outputs[0])].alias_of =
          instruction.inputs[0];
      code.kernels.push_back(nullptr);
    } else {
      code.kernels.push_back(make_kernel(code.program, instruction));
    }
    code.problem.tasks.push_back(task_of(code.program, instruction, code.kernels.back().get()));
    code.problem.tasks.back().seconds = predict_seconds(code.program, instruction);
  }
}

// What is written before the gates is written after every reader of the old value.
void order_early_writes(StepCode& code) {
  const Program& program = code.program;
  const std::vector<int> makers = program.makers();
  for (const Program::VariableWrite& write : program.writes) {
    const int maker = makers[static_cast<size_t>(write.value)];
    if (maker < 0 || program.instructions[static_cast<size_t>(maker)].stage != Stage::compute ||
        program.values[static_cast<size_t>(write.value)].home != Home::variable)
      continue;
    for (const int reader : program.readers_before(write)) {
      code.problem.tasks[static_cast<size_t>(maker)].after.push_back(reader);
      code.early_writes.emplace_back(reader, maker);
    }
  }
}

// The search for offsets takes most of the time of a plan. It is left out for a quick answer, and
// where something must go anyway: then shrink_arena places what stays.
plan::StepPlan plan_of(const plan::StepProblem& problem, const StepOptions& options) {
  plan::StepPlan rough = plan::plan_step(problem, {.work = 0});
  const bool is_over = options.arena_budget && rough.max_live_bytes > *options.arena_budget;
  const bool is_rough_enough = options.quick && !options.arena_budget;
  if (options.smallest || is_over || is_rough_enough) return rough;
  return plan::plan_in_order(problem, std::move(rough.order));
}

// True if nothing could be done to keep to the budget: then the step is as it would be without one.
bool is_over(const StepCode& code, const StepOptions& options) {
  return options.arena_budget && !options.smallest && code.plan.arena_bytes > *options.arena_budget;
}

}  // namespace

StepCode compile_step(const StepGraph& graph, const StepOptions& options) {
  StepCode code;
  code.program = lower(graph);
  code.program.keeps_signs = options.keep_signs;
  code.program.updates_early = options.early_updates;
  code.pass_times =
      run_passes(code.program, options.as_recorded ? replacing_passes() : disabled_passes());
  describe_values(code);
  make_kernels(code);
  order_early_writes(code);
  code.owners = plan::storage_owners(code.problem);
  code.plan = plan_of(code.problem, options);
  const StepSaving saving = shrink_arena(code, options);
  if (is_over(code, options) && !options.quick)
    code.plan = plan::plan_in_order(code.problem, std::move(code.plan.order));
  code.memory = measure_step(code.program, code.problem, code.plan);
  code.memory.saving = saving;
  code.memory.seconds += saving.spill_seconds;
  return code;
}

}  // namespace plimsoll
