#include <algorithm>
#include <array>
#include <utility>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/elementwise/elementwise_functions.h"
#include "plimsoll/kernels/elementwise/elementwise_operand.h"
#include "plimsoll/kernels/elementwise/elementwise_program.h"

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

// Elements computed at once. Where an input broadcasts along rows, a tile is one row, a part of one
// or several: then no tile crosses the end of a row.
int64_t choose_tile(const std::vector<BroadcastView>& views, int64_t most) {
  int64_t row = 0;
  for (const BroadcastView& view : views)
    if (view.dimensions.size() > 1) row = std::max(row, view.dimensions.back().size);
  if (row == 0) return most;
  if (row < kShortRow) return most / row * row;
  constexpr int64_t kTries = 64;
  const int64_t least_parts = (row + most - 1) / most;
  for (int64_t parts = least_parts; parts < least_parts + kTries; ++parts)
    if (row % parts == 0 && row / parts >= kShortRow) return row / parts;
  return most;
}

// One pass over a tile: a function, or an output's conversion to boolean. Slots are pointers that
// each tile fills in: inputs, then registers, then outputs.
struct Step {
  TileFunction function = nullptr;  // null: convert slot operands[0] to output `target`
  std::array<uint8_t, 3> operands = {};
  std::array<int64_t, 3> index_masks = {-1, -1, -1};
  int operand_count = 0;
  std::array<float, 2> constants = {};
  int target = 0;
};

class ElementwiseKernel final : public Kernel {
 public:
  ElementwiseKernel(const ElementwiseProgram& program, const KernelRequest& request)
      : elements_(request.outputs[0].shape.elements()), store_boolean_(tile_store_boolean()) {
    for (const Spec& output : request.outputs) output_bytes_.push_back(size_of(output.dtype));
    add_operands(request, program.instructions.size() == 1 ? kLongTile : kTile);
    add_steps(program);
    split(program);
    // With everything in place already there is no need to stop at the end of a tile.
    const auto in_place = [](const ElementwiseOperand& operand) {
      return operand.is_direct() || operand.is_scalar_everywhere();
    };
    if (steps_.size() == 1 && register_count_ == 0 && std::ranges::all_of(operands_, in_place))
      tile_ = elements_;
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

  void add_operands(const KernelRequest& request, int64_t longest_tile) {
    std::vector<BroadcastView> views;
    for (size_t i = 0; i < request.inputs.size(); ++i)
      views.push_back(BroadcastView::of(request.inputs[i], request.input_layouts[i],
                                        request.outputs[0], request.output_layouts[0]));
    tile_ = std::min(elements_, choose_tile(views, longest_tile));
    for (size_t i = 0; i < views.size(); ++i) {
      operands_.emplace_back(std::move(views[i]), request.inputs[i].dtype, tile_, elements_);
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
      for (size_t k = 0; k < static_cast<size_t>(step.operand_count); ++k) {
        step.operands[k] = slot_of[instruction.operands[k]];
        step.index_masks[k] = index_mask(step.operands[k]);
      }
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

  int64_t index_mask(int slot) const {
    const auto input = static_cast<size_t>(slot);
    return input < operands_.size() && operands_[input].is_scalar() ? 0 : -1;
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
                        .index_masks = {index_mask(slot)},
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
    TileArguments tile{.constants = step.constants.data(),
                       .target = slots[static_cast<size_t>(step.target)]};
    for (size_t k = 0; k < static_cast<size_t>(step.operand_count); ++k)
      tile.operands[k] = {slots[step.operands[k]], step.index_masks[k]};
    if (step.function != nullptr)
      step.function(count, tile);
    else
      store_boolean_(tile.operands[0], count, reinterpret_cast<uint8_t*>(tile.target));
  }

  int64_t elements_;
  int64_t tile_ = 0;
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
