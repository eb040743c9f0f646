// StepWatch: sees each instruction of a step while it runs, with the bytes of its operands.
#pragma once

#include <cstddef>
#include <span>

#include "plimsoll/engine/program.h"

namespace plimsoll {

struct ShownInstruction {
  const Program& program;  // has the specs and layouts of the operands
  const Instruction& instruction;
  // As many as the instruction names. Valid during the call alone: the next instruction may write
  // over them, and an output may lie where an input was.
  std::span<std::byte*const> inputs, outputs;
};

class StepWatch {
 public:
  virtual ~StepWatch() = default;
  virtual void before(const ShownInstruction&) {}
  virtual void after(const ShownInstruction&) {}
};

}  // namespace plimsoll
