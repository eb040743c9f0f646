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
  int64_t code_bytes = 0;      // of it, about what one compiled step takes
  int64_t weight_bytes = 0;
  int64_t optimizer_bytes = 0;         // slots
  int64_t input_bytes = 0;             // batch buffers
  int64_t callback_bytes = 0;          // what callbacks will keep: the best weights, say
  int64_t arena_bytes = 0;             // activations, gradients, kernel scratch: the largest phase
  int64_t plain_arena_bytes = 0;       // what the arena would be if nothing had to be saved
  int64_t lower_bound_bytes = 0;       // no arena can be smaller in this order
  int64_t part_size = 0;               // samples of a batch that run at once in training
  int64_t part_sum_bytes = 0;          // gradients, summed over the parts of a batch
  int sequence_parts = 1;              // in which recurrent layers run in training
  int64_t recomputed = 0;              // operations of a step that run again to save memory
  bool updates_early = false;          // weights do not wait for all gradients
  int64_t spilled_bytes = 0;           // of a step that go to a file and come back
  double step_seconds = 0;             // of a whole batch, as predicted
  double plain_step_seconds = 0;       // what it would be if nothing had to be saved
  double least_recompute_seconds = 0;  // of a whole batch: no way to recompute takes less
  int64_t peak_bytes = 0;              // of the whole process
  int64_t budget_bytes = 0;            // that the run was given; 0: what the machine has
  std::string peak_phase, peak_layer, peak_op;  // where the arena is fullest
  std::vector<Row> layers;                      // of the training step

  // All of it but the arena.
  int64_t rest_bytes() const {
    return baseline_bytes + weight_bytes + optimizer_bytes + part_sum_bytes + input_bytes +
           callback_bytes;
  }
  int64_t part_count() const {
    return part_size == 0 ? 1 : (batch_size + part_size - 1) / part_size;
  }
  // Of the time of a plain step: what saving memory adds, as predicted.
  double saving_share() const {
    return plain_step_seconds > 0 ? step_seconds / plain_step_seconds - 1 : 0;
  }
  // "16 parts of 32 samples, 142 operations run again, about 4.3% more time"; empty if nothing
  // is saved.
  std::string saving_text() const;
  // A table for people.
  std::string to_string() const;
};

}  // namespace plimsoll
