// RunObserver: is called with what happens in a run, for a console or a log. The calls allocate
// nothing on the heap; an observer that keeps something copies it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace plimsoll {

struct NamedNumber {
  std::string_view name;
  double value = 0;
};

// The progress of a run after a batch.
struct Progress {
  std::string_view work = "epoch";  // "epoch" of training; or the whole: "evaluate", "predict"
  int64_t epoch = 0;                // from 0
  int64_t epochs = 0;
  int64_t batch = 0;        // batches done in this epoch
  int64_t batches = 0;      // in an epoch; 0: that is not known
  int64_t samples = 0;      // done in this epoch
  double seconds = 0;       // since the epoch began
  double wait_seconds = 0;  // of these, that steps have waited for data
  int64_t resident_bytes = 0;
  int64_t planned_bytes = 0;                  // the peak of the plan; 0: there is none
  int64_t budget_bytes = 0;                   // that the run was given; 0: what the machine has
  std::string_view unit = "samples";          // what a sample is to a reader
  std::span<const NamedNumber> metrics = {};  // means over the epoch so far, then of the validation
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_epoch_begin(const Progress&) {}
  virtual void on_batch_end(const Progress&) {}
  virtual void on_epoch_end(const Progress&) {}
};

}  // namespace plimsoll
