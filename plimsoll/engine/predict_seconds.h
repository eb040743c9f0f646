// How long an instruction will take, by what it computes and the bytes it passes over: good enough
// to choose what to compute again.
#pragma once

#include "plimsoll/engine/machine_speed.h"
#include "plimsoll/engine/program.h"

namespace plimsoll {

double predict_seconds(const Program& program, const Instruction& instruction,
                       const MachineSpeed& speed);
// On this machine.
double predict_seconds(const Program& program, const Instruction& instruction);

}  // namespace plimsoll
