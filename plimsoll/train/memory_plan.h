// How much memory a run takes, known before its first step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

struct MemoryPlan {
  struct Row {
    std::string layer;
    int64_t weight_bytes = 0;
    int64_t gradient_bytes = 0;    // of the weights that are trained
    int64_t optimizer_bytes = 0;   // slots
    int64_t activation_bytes = 0;  // all that its ops make in a step, forward and backward
    int64_t live_at_peak_bytes = 0;
    int64_t scratch_bytes = 0;
  };

  int64_t batch_size = 0;
  int64_t baseline_bytes = 0;  // measured: the program, its libraries, compiled kernels, the data
  int64_t weight_bytes = 0;
  int64_t optimizer_bytes = 0;    // slots
  int64_t input_bytes = 0;        // batch buffers
  int64_t callback_bytes = 0;     // what callbacks will keep: the best weights, say
  int64_t arena_bytes = 0;        // activations, gradients, kernel scratch: the largest phase
  int64_t plain_arena_bytes = 0;  // what the arena would be if nothing had to be saved
  int64_t lower_bound_bytes = 0;  // no arena can be smaller in this order
  int sequence_parts = 1;         // in which recurrent layers run in training
  int64_t recomputed = 0;         // operations of a step that run again to save memory
  double recompute_share = 0;     // of the time of a step without them, as predicted
  int64_t peak_bytes = 0;         // of the whole process
  std::string peak_phase, peak_layer, peak_op;  // where the arena is fullest
  std::vector<Row> layers;                      // of the training step

  // A table for people.
  std::string to_string() const;
};

}  // namespace plimsoll
