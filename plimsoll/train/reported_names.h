// The names of the numbers that training reports.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/train/model.h"

namespace plimsoll {

// Keras's names in the logs of a compiled model: the loss, then the metrics as they were asked for;
// with validation the same again as val_….
std::vector<std::string> reported_names(const Model& model, bool with_validation = false);

}  // namespace plimsoll
