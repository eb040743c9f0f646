// Checkpoints: those of a run of fit, in RUN/checkpoints: which one it goes on from, and when the
// next is due.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/checkpoints/checkpoint_options.h"

namespace plimsoll {

class Checkpoints {
 public:
  // Looks for the newest checkpoint that is whole, and reports those that are not. CorruptFile
  // where there are some and none is whole.
  Checkpoints(const std::string& run, const CheckpointOptions& options);

  // What the run goes on from; none: it begins.
  const std::optional<CheckpointFile>& found() const { return found_; }
  // Looks for the newest whole one of fewer steps; false if there is none.
  bool find_before(int64_t step);
  // The state is loaded, the file not needed any more.
  void forget_found() { found_.reset(); }

  bool is_due(int64_t step, bool is_epoch_end) const;
  // The state of the run after so many training steps, about so many bytes, as `save` writes it.
  // IoError where the disk has no room for it.
  void write(int64_t step, int64_t bytes, const std::function<void(StateWriter&)>& save);

  const CheckpointOptions& options() const { return options_; }
  const std::string& path() const { return folder_.path(); }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then);

  CheckpointOptions options_;
  CheckpointFolder folder_;
  std::optional<CheckpointFile> found_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;  // written, or tried to
  double write_seconds_ = 0;         // that it took
};

// The folder of a run's checkpoints.
std::string checkpoint_folder(const std::string& run);

}  // namespace plimsoll
