// plimsoll doctor --find-lr: a learning rate for a model and its data.
#pragma once

#include <optional>

#include "plimsoll/cli/findings.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/train/find_learning_rate.h"

namespace plimsoll::cli {

// Where a schedule decides, it is left out.
FoundLearningRate found_rate(TrainArguments arguments, Findings& findings);

// Prints it.
void find_rate(const TrainArguments& arguments, bool json, Findings& findings);

}  // namespace plimsoll::cli
