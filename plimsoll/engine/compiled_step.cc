#include "plimsoll/engine/compiled_step.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/busy_machine.h"
#include "plimsoll/engine/memory/spill_file.h"

namespace plimsoll {

CompiledStep::CompiledStep(StepCode code) : code_(std::move(code)) {
  make_calls();
  point_at_variables();
  bind_constants(code_.program.constant_data);
}

void CompiledStep::make_calls() {
  size_t operands = 0;
  for (const Instruction& instruction : code_.program.instructions)
    operands += instruction.inputs.size() + instruction.outputs.size();
  pointers_.reserve(operands);  // calls point into it: it must not move
  positions_.resize(code_.program.values.size());
  const auto add = [&](std::span<const int> values) {
    std::byte* const* begin = pointers_.data() + pointers_.size();
    for (int value : values) {
      const auto owner = static_cast<size_t>(code_.owners[static_cast<size_t>(value)]);
      positions_[owner].push_back(pointers_.size());
      pointers_.push_back(nullptr);
    }
    return begin;
  };
  for (int32_t index : code_.plan.order) {
    const auto i = static_cast<size_t>(index);
    if (code_.kernels[i] == nullptr) continue;
    const Instruction& instruction = code_.program.instructions[i];
    std::byte* const* inputs = add(instruction.inputs);
    std::byte* const* outputs = add(instruction.outputs);
    calls_.push_back(
        {code_.kernels[i].get(), i, code_.plan.scratch_offsets[i], {inputs, outputs, nullptr}});
    if (instruction.stage == Stage::compute) commit_begin_ = calls_.size();
  }
}

void CompiledStep::point_at_variables() {
  output_buffers_.resize(code_.program.outputs.size());
  for (size_t v = 0; v < code_.program.values.size(); ++v) {
    const ProgramValue& value = code_.program.values[v];
    if (value.home == Home::variable)
      set_pointer(static_cast<int>(v),
                  code_.program.variables[static_cast<size_t>(value.slot)]->storage.data());
  }
}

void CompiledStep::set_pointer(int owner, std::byte* data) {
  for (size_t position : positions_[static_cast<size_t>(owner)]) pointers_[position] = data;
}

void CompiledStep::bind_input(int slot, const std::byte* data) {
  // A kernel writes into an input only where the plan says so, and never into an external one.
  const int value = code_.program.inputs[static_cast<size_t>(slot)];
  if (value >= 0) set_pointer(value, const_cast<std::byte*>(data));
}

void CompiledStep::bind_constants(std::vector<StoragePtr> data) {
  code_.program.constant_data = std::move(data);
  for (size_t i = 0; i < code_.program.constants.size(); ++i)
    if (code_.program.constant_data[i] != nullptr)
      set_pointer(code_.program.constants[i], code_.program.constant_data[i]->data());
}

void CompiledStep::leave_variables() {
  for (std::shared_ptr<VariableState>& variable : code_.program.variables) {
    left_variables_.push_back(variable);
    variable = std::shared_ptr<VariableState>(std::shared_ptr<void>(), variable.get());
  }
}

bool CompiledStep::has_variables() const {
  return std::ranges::none_of(left_variables_, [](const auto& left) { return left.expired(); });
}

void CompiledStep::reserve() {
  if (code_.spill_file != nullptr) code_.spill_file->prepare();
  std::byte* base = arena_->reserve(code_.plan.arena_bytes);
  if (base == arena_base_) return;
  arena_base_ = base;
  for (size_t v = 0; v < code_.program.values.size(); ++v)
    if (code_.program.values[v].home == Home::arena && code_.owners[v] == static_cast<int32_t>(v))
      set_pointer(static_cast<int>(v), base + code_.plan.value_offsets[v]);
  for (Call& call : calls_)
    call.arguments.scratch = call.scratch_offset < 0 ? nullptr : base + call.scratch_offset;
}

// True if no tensor holds the buffer any longer. Another thread may have let it go: the end of the
// copy makes what that thread read come before what the step writes; use_count() alone does not.
static bool is_let_go(const StoragePtr& buffer) {
  if (buffer.use_count() != 1) return false;
  static_cast<void>(StoragePtr(buffer));
  return true;
}

void CompiledStep::refresh_outputs() {
  for (size_t i = 0; i < output_buffers_.size(); ++i) {
    StoragePtr& buffer = output_buffers_[i];
    if (is_let_go(buffer)) continue;
    const int value = code_.program.outputs[i];
    buffer = std::make_shared<Storage>(code_.program.spec(value).bytes());
    set_pointer(value, buffer->data());
  }
}

void CompiledStep::check_gates() const {
  for (size_t i = output_buffers_.size() - static_cast<size_t>(code_.program.gate_count);
       i < output_buffers_.size(); ++i)
    if (*output_buffers_[i]->data() == std::byte{0})
      throw NotFinite(code_.program.updates_early
                          ? "step: the loss or a gradient is not finite; some weights were changed"
                          : "step: the loss or a gradient is not finite; no weight was changed");
}

template <class RunCall>
void CompiledStep::compute_calls(const RunCall& run_call) {
  reserve();
  refresh_outputs();
  for (size_t i = 0; i < commit_begin_; ++i) run_call(calls_[i]);
  check_gates();
}

template <class RunCall>
void CompiledStep::commit_calls(const RunCall& run_call) {
  for (size_t i = commit_begin_; i < calls_.size(); ++i) run_call(calls_[i]);
  for (const Program::VariableWrite& write : code_.program.writes)
    ++code_.program.variables[static_cast<size_t>(write.variable)]->version;
}

void CompiledStep::run() {
  BusyMachine& machine = BusyMachine::current();
  const auto run_call = [&](const Call& call) {
    machine.look();
    call.kernel->run(call.arguments);
  };
  compute_calls(run_call);
  commit_calls(run_call);
}

void CompiledStep::show(StepWatch& watch, const Call& call) const {
  const Instruction& instruction = code_.program.instructions[call.instruction];
  const ShownInstruction shown = {code_.program,
                                  instruction,
                                  {call.arguments.inputs, instruction.inputs.size()},
                                  {call.arguments.outputs, instruction.outputs.size()}};
  watch.before(shown);
  call.kernel->run(call.arguments);
  watch.after(shown);
}

void CompiledStep::run_watched(StepWatch& watch) {
  BusyMachine& machine = BusyMachine::current();
  const auto show_call = [&](const Call& call) {
    machine.look();
    show(watch, call);
  };
  compute_calls(show_call);
  commit_calls(show_call);
}

void CompiledStep::compute() {
  compute_calls([](const Call& call) { call.kernel->run(call.arguments); });
}

void CompiledStep::compute_watched(StepWatch& watch) {
  compute_calls([&](const Call& call) { show(watch, call); });
}

}  // namespace plimsoll
