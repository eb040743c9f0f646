#include <algorithm>
#include <array>
#include <utility>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/elementwise_functions.h"
#include "plimsoll/kernels/elementwise_operand.h"
#include "plimsoll/kernels/elementwise_program.h"

namespace plimsoll::kernels {
namespace {

// Short enough that the values of a program stay in the first-level cache, long enough that the
// call of a function costs little beside its loop.
constexpr int64_t kTile = 512;
constexpr int64_t kLongTile = 2048;
constexpr int64_t kAlignFloats = 16;

// Below this much work, in elements times instructions, another thread costs more than it saves.
constexpr int64_t kThreadWork = 16384;

int cost_of(Function function) {
  switch (function) {
    case Function::power:
      return 32;
    case Function::sin:
    case Function::cos:
    case Function::log1p:
    case Function::softplus:
    case Function::erf:
      return 8;
    case Function::exp:
    case Function::expm1:
    case Function::log:
    case Function::tanh:
    case Function::sigmoid:
      return 4;
    default:
      return 1;
  }
}

int64_t aligned(int64_t floats) {
  return (floats + kAlignFloats - 1) / kAlignFloats * kAlignFloats;
}

// One pass over a tile: a function, or an output's conversion to boolean. Slots are pointers that
// each tile fills in: inputs, then registers, then outputs.
struct Step {
  TileFunction function = nullptr;  // null: convert slot operands[0] to output `target`
  std::array<uint8_t, 3> operands = {};
  int operand_count = 0;
  std::array<float, 2> constants = {};
  int target = 0;
};

class ElementwiseKernel final : public Kernel {
 public:
  ElementwiseKernel(const ElementwiseProgram& program, const KernelRequest& request)
      : elements_(request.outputs[0].shape.elements()),
        tile_(std::min(elements_, program.instructions.size() == 1 ? kLongTile : kTile)),
        store_boolean_(tile_store_boolean()) {
    for (const Spec& output : request.outputs) output_bytes_.push_back(size_of(output.dtype));
    add_operands(request);
    add_steps(program);
    split(program);
  }

  int64_t scratch_bytes() const override {
    return parts_ * part_floats_ * static_cast<int64_t>(sizeof(float));
  }

  void run(const KernelArguments& arguments) const override {
    parallel_for(elements_, grain_, [&](int64_t begin, int64_t end) {
      float* const own =
          reinterpret_cast<float*>(arguments.scratch) + begin / grain_ * part_floats_;
      run_range(arguments, begin, end, own);
    });
  }

 private:
  static constexpr size_t kMaxSlots =
      kMaxProgramInputs + kMaxProgramRegisters + kMaxProgramInstructions;

  void add_operands(const KernelRequest& request) {
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      const Spec& input = request.inputs[i];
      operands_.emplace_back(BroadcastView::of(input, request.input_layouts[i], request.outputs[0],
                                               request.output_layouts[0]),
                             input.dtype, tile_, elements_);
      buffers_.push_back(part_floats_);
      part_floats_ += aligned(operands_.back().buffer_floats());
    }
  }

  void add_steps(const ElementwiseProgram& program) {
    const Registers registers = assign_registers(program);
    register_count_ = registers.count;
    registers_at_ = part_floats_;
    part_floats_ += registers.count * aligned(tile_);

    std::vector<uint8_t> slot_of;  // of each value
    for (int i = 0; i < program.inputs; ++i) {
      slot_of.push_back(static_cast<uint8_t>(i));
      add_output_copies(program, i, i);
    }
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      const Instruction& instruction = program.instructions[i];
      const int value = program.inputs + static_cast<int>(i);
      Step step{.function = tile_function(instruction.function),
                .operand_count = arity(instruction.function),
                .constants = instruction.constants};
      for (size_t k = 0; k < static_cast<size_t>(step.operand_count); ++k)
        step.operands[k] = slot_of[instruction.operands[k]];
      step.target = registers.of_instruction[i] >= 0
                        ? program.inputs + registers.of_instruction[i]
                        : output_slot(first_float_output(program, value));
      slot_of.push_back(static_cast<uint8_t>(step.target));
      steps_.push_back(step);
      add_output_copies(program, value, step.target);
    }
  }

  static int first_float_output(const ElementwiseProgram& program, int value) {
    int output = 0;
    while (program.outputs[static_cast<size_t>(output)].value != value ||
           program.outputs[static_cast<size_t>(output)].dtype != DType::float32)
      ++output;
    return output;
  }

  int output_slot(int output) const {
    return static_cast<int>(operands_.size()) + register_count_ + output;
  }

  // Brings a value, right after it is computed, to the outputs that are not its own slot.
  void add_output_copies(const ElementwiseProgram& program, int value, int slot) {
    for (size_t i = 0; i < program.outputs.size(); ++i) {
      const ElementwiseProgram::Output& output = program.outputs[i];
      const int target = output_slot(static_cast<int>(i));
      if (output.value != value || target == slot) continue;
      const bool is_float = output.dtype == DType::float32;
      steps_.push_back({.function = is_float ? tile_function(Function::copy) : nullptr,
                        .operands = {static_cast<uint8_t>(slot)},
                        .operand_count = 1,
                        .target = target});
    }
  }

  void split(const ElementwiseProgram& program) {
    int64_t cost = 0;
    for (const Instruction& instruction : program.instructions)
      cost += cost_of(instruction.function);
    const int64_t parts = std::clamp<int64_t>(elements_ * cost / kThreadWork, 1, thread_count());
    const int64_t unit = std::max<int64_t>(tile_, 1);
    grain_ = std::max<int64_t>((elements_ / parts + unit - 1) / unit * unit, 1);
    parts_ = (elements_ + grain_ - 1) / grain_;
  }

  void run_range(const KernelArguments& arguments, int64_t begin, int64_t end, float* own) const {
    float* slots[kMaxSlots];
    const size_t inputs = operands_.size();
    for (size_t i = 0; i < inputs; ++i)
      operands_[i].prepare(arguments.inputs[i], own + buffers_[i]);
    for (int i = 0; i < register_count_; ++i)
      slots[inputs + static_cast<size_t>(i)] = own + registers_at_ + i * aligned(tile_);
    for (int64_t first = begin; first < end; first += tile_) {
      const int64_t count = std::min(tile_, end - first);
      // Operands are only read; the table of slots is one for both kinds.
      for (size_t i = 0; i < inputs; ++i)
        slots[i] = const_cast<float*>(
            operands_[i].read(arguments.inputs[i], first, count, own + buffers_[i]));
      for (size_t i = 0; i < output_bytes_.size(); ++i)
        slots[static_cast<size_t>(output_slot(static_cast<int>(i)))] =
            reinterpret_cast<float*>(arguments.outputs[i] + first * output_bytes_[i]);
      for (const Step& step : steps_) run_step(step, count, slots);
    }
  }

  void run_step(const Step& step, int64_t count, float* const* slots) const {
    float* const target = slots[static_cast<size_t>(step.target)];
    if (step.function == nullptr)
      return store_boolean_(slots[step.operands[0]], count, reinterpret_cast<uint8_t*>(target));
    TileArguments tile{.constants = step.constants.data(), .target = target};
    for (size_t k = 0; k < static_cast<size_t>(step.operand_count); ++k)
      tile.operands[k] = slots[step.operands[k]];
    step.function(count, tile);
  }

  int64_t elements_;
  int64_t tile_;
  TileStore store_boolean_;
  std::vector<int64_t> output_bytes_;  // of an element
  std::vector<ElementwiseOperand> operands_;
  std::vector<int64_t> buffers_;  // where each operand's buffer begins in a thread's scratch
  int64_t registers_at_ = 0;      // and where the registers begin
  int register_count_ = 0;
  int64_t part_floats_ = 0;
  std::vector<Step> steps_;
  int64_t grain_ = 1;  // elements of a thread's range
  int64_t parts_ = 1;  // how many ranges there are
};

}  // namespace

KernelPtr make_elementwise(const ElementwiseProgram& program, const KernelRequest& request) {
  return std::make_unique<ElementwiseKernel>(program, request);
}

}  // namespace plimsoll::kernels
