#include "plimsoll/kernels/elementwise/elementwise_program.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

struct FunctionRow {
  std::string_view name;
  int arity;
};

constexpr FunctionRow kFunctions[] = {
    {"copy", 1},          {"negative", 1}, {"abs", 1},           {"sign", 1},
    {"square", 1},        {"sqrt", 1},     {"rsqrt", 1},         {"reciprocal", 1},
    {"exp", 1},           {"expm1", 1},    {"log", 1},           {"log1p", 1},
    {"sin", 1},           {"cos", 1},      {"tanh", 1},          {"sigmoid", 1},
    {"softplus", 1},      {"erf", 1},      {"relu", 1},          {"floor", 1},
    {"ceil", 1},          {"round", 1},    {"is_nonzero", 1},    {"logical_not", 1},
    {"clip", 1},          {"add", 2},      {"subtract", 2},      {"multiply", 2},
    {"divide", 2},        {"power", 2},    {"maximum", 2},       {"minimum", 2},
    {"relu_gradient", 2}, {"equal", 2},    {"not_equal", 2},     {"less", 2},
    {"less_equal", 2},    {"greater", 2},  {"greater_equal", 2}, {"logical_and", 2},
    {"logical_or", 2},    {"select", 3},
};
static_assert(std::size(kFunctions) == kFunctionCount);

constexpr int kNever = -1;

// The last instruction that reads each value.
std::vector<int> last_uses(const ElementwiseProgram& program) {
  std::vector<int> last(static_cast<size_t>(program.values()), kNever);
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& instruction = program.instructions[i];
    for (int k = 0; k < arity(instruction.function); ++k)
      last[instruction.operands[static_cast<size_t>(k)]] = static_cast<int>(i);
  }
  return last;
}

bool is_float_output(const ElementwiseProgram& program, int value) {
  return std::ranges::any_of(program.outputs, [&](const ElementwiseProgram::Output& output) {
    return output.value == value && output.dtype == DType::float32;
  });
}

bool within_limits(const ElementwiseProgram& program) {
  return program.inputs <= kMaxProgramInputs &&
         static_cast<int>(program.instructions.size()) <= kMaxProgramInstructions &&
         assign_registers(program).count <= kMaxProgramRegisters;
}

}  // namespace

int arity(Function function) {
  return kFunctions[static_cast<size_t>(function)].arity;
}

std::string_view name_of(Function function) {
  return kFunctions[static_cast<size_t>(function)].name;
}

ElementwiseProgram ElementwiseProgram::of(Function function, DType output,
                                          std::array<float, 2> constants) {
  const int inputs = arity(function);
  return {inputs, {{function, {0, 1, 2}, constants}}, {{static_cast<uint8_t>(inputs), output}}};
}

std::optional<ElementwiseProgram> inline_input(const ElementwiseProgram& consumer, int input,
                                               const ElementwiseProgram& producer, int output,
                                               bool keep) {
  ElementwiseProgram result;
  result.inputs = consumer.inputs - 1 + producer.inputs;
  const int instructions =
      static_cast<int>(consumer.instructions.size() + producer.instructions.size());
  if (result.inputs > kMaxProgramInputs || instructions > kMaxProgramInstructions) return {};

  // The number of each value of either program in the result.
  const auto of_producer = [&](int value) {
    return static_cast<uint8_t>(value < producer.inputs ? input + value
                                                        : result.inputs + value - producer.inputs);
  };
  const auto of_consumer = [&](int value) {
    if (value == input) return of_producer(producer.outputs[static_cast<size_t>(output)].value);
    if (value < input) return static_cast<uint8_t>(value);
    if (value < consumer.inputs) return static_cast<uint8_t>(value - 1 + producer.inputs);
    return static_cast<uint8_t>(result.inputs + static_cast<int>(producer.instructions.size()) +
                                value - consumer.inputs);
  };
  const auto append = [&](const ElementwiseProgram& program, const auto& renumber) {
    for (Instruction instruction : program.instructions) {
      for (size_t k = 0; k < instruction.operands.size(); ++k)
        instruction.operands[k] = static_cast<int>(k) < arity(instruction.function)
                                      ? renumber(instruction.operands[k])
                                      : uint8_t{0};
      result.instructions.push_back(instruction);
    }
  };
  append(producer, of_producer);
  append(consumer, of_consumer);
  for (const ElementwiseProgram::Output& out : consumer.outputs)
    result.outputs.push_back({of_consumer(out.value), out.dtype});
  if (keep) {
    const ElementwiseProgram::Output& out = producer.outputs[static_cast<size_t>(output)];
    result.outputs.push_back({of_producer(out.value), out.dtype});
  }
  if (!within_limits(result)) return {};
  return result;
}

ElementwiseProgram share_input(const ElementwiseProgram& program, int kept, int dropped) {
  const auto renumber = [&](uint8_t value) {
    const int moved = value == dropped ? kept : value;
    return static_cast<uint8_t>(moved > dropped ? moved - 1 : moved);
  };
  ElementwiseProgram result = program;
  --result.inputs;
  for (Instruction& instruction : result.instructions)
    for (int k = 0; k < arity(instruction.function); ++k) {
      uint8_t& operand = instruction.operands[static_cast<size_t>(k)];
      operand = renumber(operand);
    }
  for (ElementwiseProgram::Output& output : result.outputs) output.value = renumber(output.value);
  return result;
}

Registers assign_registers(const ElementwiseProgram& program) {
  const std::vector<int> last = last_uses(program);
  Registers registers;
  std::vector<int> owner;  // the value in each register, or kNever
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const int value = program.inputs + static_cast<int>(i);
    // A register whose value is read for the last time by this very instruction can take its
    // result: element i is read before it is written.
    for (int& held : owner)
      if (held != kNever && last[static_cast<size_t>(held)] <= static_cast<int>(i)) held = kNever;
    if (is_float_output(program, value)) {
      registers.of_instruction.push_back(-1);
      continue;
    }
    auto place = std::ranges::find(owner, kNever);
    if (place == owner.end()) place = owner.insert(owner.end(), kNever);
    *place = value;
    registers.of_instruction.push_back(static_cast<int>(place - owner.begin()));
  }
  registers.count = static_cast<int>(owner.size());
  return registers;
}

bool may_overwrite(const ElementwiseProgram& program, int input, int output) {
  const int value = program.outputs[static_cast<size_t>(output)].value;
  if (value < program.inputs) return program.outputs.size() == 1;
  return last_uses(program)[static_cast<size_t>(input)] <= value - program.inputs;
}

}  // namespace plimsoll::kernels
