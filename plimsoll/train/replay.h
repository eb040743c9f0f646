// A training step whose loss or gradients were not finite, run again operation by operation. A run
// keeps such a step in RUN/bad-steps: what the model was before it, and the part of the batch in
// which that began.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/train/replayed_step.h"

namespace plimsoll {

class Model;
class ModelSteps;
class StateWriter;

// The folder of a run's bad steps, and their numbers.
std::string bad_step_folder(const std::string& run);
std::vector<int64_t> bad_steps(const std::string& run);

// Writes what a replay shows of the cause: its operation, and its line if that is one of a program.
void save_first_bad(StateWriter to, const FirstBad& first);

// See Model::replay.
ReplayedStep replay_step(const Model& model, ModelSteps& steps, const std::string& run,
                         int64_t step, const std::string& at);

}  // namespace plimsoll
