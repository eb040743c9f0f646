// What the loops of fit, evaluate and predict share.
#pragma once

#include <chrono>

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/steps/data_pass.h"

namespace plimsoll {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

using Hook = void (Callback::*)(TrainingState&);
void notify(const Callbacks& callbacks, Hook hook, TrainingState& state);

// The counters of an epoch, an evaluation or a prediction of `count` batches start again.
void begin_loop(TrainingState& state, const Source& source, int64_t count);
// Callbacks are told of the records that the loader leaves out. All three must outlive it.
void report_bad_records(Loader& loader, const Callbacks& callbacks, TrainingState& state);
void end_batch(TrainingState& state, int64_t records, double seconds);

// The batches that the data says, where it does.
BatchChoice batch_choice(const Dataset& data, std::optional<int64_t> size,
                         std::optional<int64_t> steps);

// Does the last, smaller batch run where no more than choice.steps batches do?
bool runs_last(const Source& source, const BatchChoice& choice);

}  // namespace plimsoll
