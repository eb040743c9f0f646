// Holds what is to run to a budget of memory: a run of fit, a plan, or one step of a loop that is
// written by hand. Candidates are compiled in one way of saving after another.
#pragma once

#include <optional>

#include "plimsoll/engine/memory/saving.h"

namespace plimsoll {

// What the compiled steps take in one way of saving.
struct Trial {
  int64_t peak_bytes = 0;       // of the process
  int64_t rest_bytes = 0;       // of it, what is not arena: no arena makes this less
  int64_t arena_bytes = 0;      // of the largest step
  double seconds = 0;           // of a step, as predicted
  int64_t spilled_bytes = 0;    // that go to a file
  bool cuts_sequences = false;  // there are sequences that can run in parts
};

class Candidates {
 public:
  virtual ~Candidates() = default;
  virtual SavingWays ways() const = 0;
  // True if a batch can run in parts that add up to it. Called only where that might help.
  virtual bool may_part() { return false; }
  // Compiles; what was compiled before is dropped.
  virtual Trial compile(const Saving& saving) = 0;
};

struct Held {
  Saving saving;  // the last that was compiled
  Trial trial;
  Trial plain;  // as it would be if nothing had to be saved
  bool is_within = false;
};

// Compiles the fastest way, as predicted, that stays in the budget; where none does, the smallest
// that was found. `plain` is the trial without saving, if that was compiled already.
Held hold_to_budget(Candidates& candidates, int64_t budget_bytes,
                    const std::optional<Trial>& plain = {});

// A peak within the budget if hold_to_budget finds a way, else the least peak that any way reaches.
// `plain` is over the budget. The first way is enough, so this takes a fraction of the time. What
// was compiled is dropped.
int64_t reachable_peak(Candidates& candidates, int64_t budget_bytes, const Trial& plain);

// The least peak that any way of saving reaches. What was compiled is dropped.
int64_t least_peak(Candidates& candidates);

}  // namespace plimsoll
