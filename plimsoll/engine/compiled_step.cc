#include "plimsoll/engine/compiled_step.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/memory/spill_file.h"
#include "plimsoll/engine/predict_seconds.h"
#include "plimsoll/kernels/vector_target.h"

namespace plimsoll {
namespace {

// What the planner is told about one instruction; a view has no kernel.
plan::Task task_of(const Instruction& instruction, const Kernel* kernel) {
  plan::Task task;
  task.inputs.assign(instruction.inputs.begin(), instruction.inputs.end());
  task.outputs.assign(instruction.outputs.begin(), instruction.outputs.end());
  task.stage = static_cast<int32_t>(instruction.stage);
  task.may_repeat = instruction.stage == Stage::compute;
  if (kernel == nullptr) return task;
  task.scratch_bytes = kernel->scratch_bytes();
  for (const Overwrite& row : instruction.op->may_overwrite())
    task.may_overwrite.push_back({row.input, row.output});
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

}  // namespace

CompiledStep::CompiledStep(const StepGraph& graph, const StepOptions& options)
    : program_(lower(graph)) {
  program_.keeps_signs = options.keep_signs;
  program_.updates_early = options.early_updates;
  pass_times_ = run_passes(program_, disabled_passes());
  make_kernels();
  plan_ = plan::plan_step(problem_);
  const StepSaving saving = options.arena_budget && plan_.arena_bytes > *options.arena_budget
                                ? fit_into(*options.arena_budget, options)
                                : StepSaving();
  memory_ = measure_step(program_, problem_, plan_);
  memory_.saving = saving;
  memory_.seconds += saving.spill_seconds;
  make_calls();
  point_at_variables();
  bind_constants(program_.constant_data);
}

void CompiledStep::make_kernels() {
  // A value that passes have left behind, made by nobody, takes no memory.
  const std::vector<int> makers = program_.makers();
  for (size_t v = 0; v < program_.values.size(); ++v) {
    const bool external = program_.values[v].home != Home::arena;
    const bool exists = external || makers[v] >= 0;
    problem_.values.push_back({exists ? program_.spec(static_cast<int>(v)).bytes() : 0, external});
  }
  for (const Instruction& instruction : program_.instructions) {
    if (instruction.op->is_view()) {
      problem_.values[static_cast<size_t>(instruction.outputs[0])].alias_of = instruction.inputs[0];
      kernels_.push_back(nullptr);
    } else {
      kernels_.push_back(make_kernel(program_, instruction));
    }
    problem_.tasks.push_back(task_of(instruction, kernels_.back().get()));
    problem_.tasks.back().seconds = predict_seconds(program_, instruction);
  }
  order_early_writes();
  owners_ = plan::storage_owners(problem_);
}

// What is written before the gates is written behind all who read what was there.
void CompiledStep::order_early_writes() {
  const std::vector<int> makers = program_.makers();
  for (const Program::VariableWrite& write : program_.writes) {
    const int maker = makers[static_cast<size_t>(write.value)];
    if (maker < 0 || program_.instructions[static_cast<size_t>(maker)].stage != Stage::compute ||
        program_.values[static_cast<size_t>(write.value)].home != Home::variable)
      continue;
    for (const int reader : program_.readers_before(write)) {
      problem_.tasks[static_cast<size_t>(maker)].after.push_back(reader);
      early_writes_.emplace_back(reader, maker);
    }
  }
}

void CompiledStep::make_calls() {
  size_t operands = 0;
  for (const Instruction& instruction : program_.instructions)
    operands += instruction.inputs.size() + instruction.outputs.size();
  pointers_.reserve(operands);  // calls point into it: it must not move
  positions_.resize(program_.values.size());
  const auto add = [&](std::span<const int> values) {
    std::byte* const* begin = pointers_.data() + pointers_.size();
    for (int value : values) {
      const auto owner = static_cast<size_t>(owners_[static_cast<size_t>(value)]);
      positions_[owner].push_back(pointers_.size());
      pointers_.push_back(nullptr);
    }
    return begin;
  };
  for (int32_t index : plan_.order) {
    const auto i = static_cast<size_t>(index);
    if (kernels_[i] == nullptr) continue;
    const Instruction& instruction = program_.instructions[i];
    std::byte* const* inputs = add(instruction.inputs);
    std::byte* const* outputs = add(instruction.outputs);
    calls_.push_back({kernels_[i].get(), i, plan_.scratch_offsets[i], {inputs, outputs, nullptr}});
    if (instruction.stage == Stage::compute) commit_begin_ = calls_.size();
  }
}

void CompiledStep::point_at_variables() {
  output_buffers_.resize(program_.outputs.size());
  for (size_t v = 0; v < program_.values.size(); ++v) {
    const ProgramValue& value = program_.values[v];
    if (value.home == Home::variable)
      set_pointer(static_cast<int>(v),
                  program_.variables[static_cast<size_t>(value.slot)]->storage.data());
  }
}

void CompiledStep::set_pointer(int owner, std::byte* data) {
  for (size_t position : positions_[static_cast<size_t>(owner)]) pointers_[position] = data;
}

void CompiledStep::bind_input(int slot, const std::byte* data) {
  // A kernel writes into an input only where the plan says so, and never into an external one.
  const int value = program_.inputs[static_cast<size_t>(slot)];
  if (value >= 0) set_pointer(value, const_cast<std::byte*>(data));
}

void CompiledStep::bind_constants(std::vector<StoragePtr> data) {
  program_.constant_data = std::move(data);
  for (size_t i = 0; i < program_.constants.size(); ++i)
    if (program_.constant_data[i] != nullptr)
      set_pointer(program_.constants[i], program_.constant_data[i]->data());
}

void CompiledStep::leave_variables() {
  for (std::shared_ptr<VariableState>& variable : program_.variables) {
    left_variables_.push_back(variable);
    variable = std::shared_ptr<VariableState>(std::shared_ptr<void>(), variable.get());
  }
}

bool CompiledStep::has_variables() const {
  return std::ranges::none_of(left_variables_, [](const auto& left) { return left.expired(); });
}

void CompiledStep::reserve() {
  if (spill_file_ != nullptr) spill_file_->prepare();
  std::byte* base = arena_->reserve(plan_.arena_bytes);
  if (base == arena_base_) return;
  arena_base_ = base;
  for (size_t v = 0; v < program_.values.size(); ++v)
    if (program_.values[v].home == Home::arena && owners_[v] == static_cast<int32_t>(v))
      set_pointer(static_cast<int>(v), base + plan_.value_offsets[v]);
  for (Call& call : calls_)
    call.arguments.scratch = call.scratch_offset < 0 ? nullptr : base + call.scratch_offset;
}

void CompiledStep::refresh_outputs() {
  for (size_t i = 0; i < output_buffers_.size(); ++i) {
    StoragePtr& buffer = output_buffers_[i];
    if (buffer.use_count() == 1) continue;
    const int value = program_.outputs[i];
    buffer = std::make_shared<Storage>(program_.spec(value).bytes());
    set_pointer(value, buffer->data());
  }
}

void CompiledStep::check_gates() const {
  for (size_t i = output_buffers_.size() - static_cast<size_t>(program_.gate_count);
       i < output_buffers_.size(); ++i)
    if (*output_buffers_[i]->data() == std::byte{0})
      throw NotFinite(program_.updates_early
                          ? "step: the loss or a gradient is not finite; some weights were changed"
                          : "step: the loss or a gradient is not finite; no weight was changed");
}

template <class RunCall>
void CompiledStep::run_calls(const RunCall& run_call) {
  reserve();
  refresh_outputs();
  for (size_t i = 0; i < commit_begin_; ++i) run_call(calls_[i]);
  check_gates();
  for (size_t i = commit_begin_; i < calls_.size(); ++i) run_call(calls_[i]);
  for (const Program::VariableWrite& write : program_.writes)
    ++program_.variables[static_cast<size_t>(write.variable)]->version;
}

void CompiledStep::run() {
  run_calls([](const Call& call) { call.kernel->run(call.arguments); });
}

void CompiledStep::run_timed(const Timed& timed) {
  using Clock = std::chrono::steady_clock;
  run_calls([&](const Call& call) {
    const Clock::time_point start = Clock::now();
    call.kernel->run(call.arguments);
    const std::chrono::duration<double> taken = Clock::now() - start;
    timed(program_.instructions[call.instruction], taken.count());
  });
}

}  // namespace plimsoll
