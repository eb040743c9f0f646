// CheckpointTimes: when a process that trains writes its next checkpoint, as a function of times
// alone.
#pragma once

namespace plimsoll {

// All in seconds.
struct CheckpointTimes {
  double every = 60;        // checkpoints are no longer apart than this
  double write = 0;         // that one takes; 0: none was written yet
  double lived_before = 0;  // how long the process lived, until its newest checkpoint, that this
                            // one goes on from; 0: it begins

  // True if a process that has lived so long and wrote its last checkpoint so long ago (or began
  // then) is to write one.
  bool is_due(double lived, double since_last, bool is_epoch_end) const;

 private:
  bool is_in_danger(double lived) const;
  // Between two checkpoints, so that they do not take too much of the time.
  double least(double lived) const;
};

}  // namespace plimsoll
