// Which values of a step keep the records of its batch apart.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/engine/program.h"

namespace plimsoll {

// Of each value: true if it has a row per record, and row i depends on record i alone. Inputs whose
// first axis is as long as there are samples are the records.
std::vector<bool> own_rows(const Program& program, int64_t samples);

}  // namespace plimsoll
