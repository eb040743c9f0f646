// What elementwise ops compute, as a straight-line program over float32 values. An op alone is a
// program of one instruction; a chain of them becomes one program, which runs tile by tile in the
// first-level cache and so reads and writes memory once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Truth is 1 or 0. The order is that of the tables in elementwise_functions.cc and
// elementwise_program.cc.
enum class Function : uint8_t {
  copy,
  negative,
  abs,
  sign,
  square,
  sqrt,
  rsqrt,
  reciprocal,
  exp,
  expm1,
  log,
  log1p,
  sin,
  cos,
  tanh,
  sigmoid,
  softplus,
  erf,
  relu,
  floor,
  ceil,
  round,
  is_nonzero,
  logical_not,
  clip,  // to [constants[0], constants[1]]
  add,
  subtract,
  multiply,
  divide,
  power,
  maximum,
  minimum,
  relu_gradient,  // a > 0 ? b : 0
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  select,  // a != 0 ? b : c
};
inline constexpr int kFunctionCount = static_cast<int>(Function::select) + 1;

int arity(Function function);
std::string_view name_of(Function function);

// Values are numbered: the inputs first, then the result of each instruction.
struct Instruction {
  Function function = Function::copy;
  std::array<uint8_t, 3> operands = {};
  std::array<float, 2> constants = {};

  bool operator==(const Instruction&) const = default;
};

struct ElementwiseProgram {
  struct Output {
    uint8_t value = 0;
    DType dtype = DType::float32;  // or boolean

    bool operator==(const Output&) const = default;
  };

  int inputs = 0;
  std::vector<Instruction> instructions;
  std::vector<Output> outputs;

  int values() const { return inputs + static_cast<int>(instructions.size()); }
  bool operator==(const ElementwiseProgram&) const = default;

  // The program of one function, its operands being the inputs in order.
  static ElementwiseProgram of(Function function, DType output = DType::float32,
                               std::array<float, 2> constants = {});
};

// Beyond these a tile's values leave the first-level cache and fusing stops paying.
inline constexpr int kMaxProgramInputs = 16;
inline constexpr int kMaxProgramRegisters = 16;
inline constexpr int kMaxProgramInstructions = 64;

// Replaces an input of `consumer` by output `output` of `producer`. The inputs of the result are
// the consumer's, with the producer's in place of the one that went; with `keep`, the producer's
// output is also the last output of the result. Returns nothing if the result exceeds the limits
// above.
std::optional<ElementwiseProgram> inline_input(const ElementwiseProgram& consumer, int input,
                                               const ElementwiseProgram& producer, int output = 0,
                                               bool keep = false);

// The same program where input `dropped` is known to be the same tensor as input `kept`: one input
// fewer, those after `dropped` moving up.
ElementwiseProgram share_input(const ElementwiseProgram& program, int kept, int dropped);

// The tile buffer that holds each instruction's result, reused from its last use on. A float32
// output has none (-1): it is computed in the output itself.
struct Registers {
  std::vector<int> of_instruction;
  int count = 0;
};
Registers assign_registers(const ElementwiseProgram& program);

// True if output `output` may be written over input `input` of the same bytes: nothing reads the
// input after the output's first instruction.
bool may_overwrite(const ElementwiseProgram& program, int input, int output);

// Inputs of any dtype are read as float32 and broadcast to the outputs' shape by NumPy's rule; an
// input of exactly that shape has the outputs' layout, any other is row-major.
KernelPtr make_elementwise(const ElementwiseProgram& program, const KernelRequest& request);

}  // namespace plimsoll::kernels
