// Clock: the seed and the step number that random numbers of training depend on, besides the layer
// that draws them. Each thread has one.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "plimsoll/graph/variable.h"
#include "plimsoll/ops/random/random.h"

namespace plimsoll {

// How often each layer has drawn in a step, by its path.
using DrawCounts = std::map<std::string, uint32_t>;

// All that later draws depend on: a loop that goes on from here draws the same numbers.
struct ClockState {
  int64_t seed = 0, step = 0;
  DrawCounts draws = {};  // of this step
  bool operator==(const ClockState&) const = default;
};

class Clock {
 public:
  Clock();

  // The random state for a draw by the layer whose scope is open. The layer's draws of one step are
  // numbered, so a layer used twice draws twice, and the next step builds the same graph again.
  RandomState draw();
  // The same with the layer's own seed.
  RandomState draw(const Variable& seed);

  // Ends a training step: assigns step + 1.
  void tick();
  // Draws are numbered from the beginning again; row 0 of later draws is sample `first_sample`
  // (undefined: 0) of the whole batch.
  void restart(const Tensor& first_sample = {});

  // Computes what is pending of the clock.
  ClockState state() const;
  void set_state(const ClockState& state);

  Variable seed;  // int64 scalar
  Variable step;  // int64 scalar

 private:
  DrawCounts draws_;  // of this step
  Tensor first_sample_;
};

Clock& training_clock();

// While one is open on this thread, only a part of a batch is recorded, which begins at the given
// sample.
class PartOfBatch {
 public:
  explicit PartOfBatch(const Tensor& first_sample) { training_clock().restart(first_sample); }
  ~PartOfBatch() { training_clock().restart(); }
  PartOfBatch(const PartOfBatch&) = delete;
  PartOfBatch& operator=(const PartOfBatch&) = delete;
};

// New weights and all later draws are a function of this seed; steps count from 0.
void set_random_seed(int64_t seed);
int64_t random_seed();

}  // namespace plimsoll
