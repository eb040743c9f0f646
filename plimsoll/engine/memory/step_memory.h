// What a compiled step takes, in bytes, and which layer takes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/engine/program.h"
#include "plimsoll/plan/step_plan.h"

namespace plimsoll {

struct LayerMemory {
  std::string layer;          // the path of its scope
  int64_t value_bytes = 0;    // arena values its ops make, forward and backward
  int64_t live_at_peak = 0;   // those of them that are live when the arena is fullest
  int64_t scratch_bytes = 0;  // its largest kernel scratch
};

// What a step does to keep to its budget.
struct StepSaving {
  int64_t recomputed = 0;  // instructions that run again
  double recompute_seconds = 0;
  double least_seconds = 0;   // that recomputing can take: a lower bound
  int64_t spilled_bytes = 0;  // that go to a file and come back
  double spill_seconds = 0;
};

struct StepMemory {
  int64_t arena_bytes = 0;
  int64_t lower_bound_bytes = 0;  // the most that is live at once in this order
  double seconds = 0;             // predicted, of one run
  StepSaving saving = {};
  int64_t variable_bytes = 0;  // all that the step reads or writes
  int64_t output_bytes = 0;
  int64_t input_bytes = 0;  // what the caller binds
  int64_t constant_bytes = 0;
  std::string peak_layer;  // where the arena is fullest
  std::string peak_op;
  std::vector<LayerMemory> layers;  // in the order they first run
};

StepMemory measure_step(const Program& program, const plan::StepProblem& problem,
                        const plan::StepPlan& plan);

}  // namespace plimsoll
