// Checkpoints: those of a run of fit, in RUN/checkpoints: which one it goes on from, and when the
// next is due.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/checkpoints/checkpoint_options.h"
#include "plimsoll/train/checkpoints/checkpoint_times.h"

namespace plimsoll {

class Checkpoints {
 public:
  // Looks for the newest checkpoint that is whole, and reports those that are not. CorruptFile
  // where there are some and none is whole. `may_go_back`: find_before may be called, so what it
  // needs stays on the disk.
  Checkpoints(const std::string& run, const CheckpointOptions& options, bool may_go_back = false);

  // What the run goes on from; none: it begins.
  const std::optional<CheckpointFile>& found() const { return found_; }
  // Looks for the newest whole one of fewer steps, with every_steps only among those that it asks
  // for: what time asks for is not the same in each run. False if there is none.
  bool find_before(int64_t step);
  // Where what was found is not that of this run, looks for the newest whole one of another id that
  // `is_same`. If there is one, newer ones are foreign: they are reported and not used.
  void pass_over_foreign(const std::function<bool(const StateReader&)>& is_same);
  // Of the run, which its checkpoints have in common.
  const std::string& run_id() const { return run_id_; }
  // The state is loaded, the file not needed any more.
  void forget_found() { found_.reset(); }

  bool is_due(int64_t step, bool is_epoch_end) const;
  // The state of the run after so many training steps, about so many bytes, as `save` writes it.
  // Beside the last ones, the one of step `best` stays, and those that find_before may need.
  // IoError where the disk has no room for it, or where the folder of the run was taken away since
  // the last one: it is not made again, for it may be that of another disk.
  void write(int64_t step, int64_t bytes, const std::function<void(StateWriter&)>& save,
             std::optional<int64_t> best = {});
  // The run went back to this step: what came after it did not happen.
  void forget_after(int64_t step) const { folder_.remove_newer(step); }

  const CheckpointOptions& options() const { return options_; }
  const std::string& path() const { return folder_.path(); }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then);
  bool is_by_steps(int64_t step) const {
    return options_.every_steps > 0 && step % options_.every_steps == 0;
  }
  bool can_go_back_to(int64_t number, int64_t before) const {
    return number < before && (options_.every_steps == 0 || is_by_steps(number));
  }
  // To go back to from any step after this one, or from this one.
  std::optional<int64_t> newest_before(int64_t step) const;

  CheckpointOptions options_;
  std::string run_;
  CheckpointFolder folder_;
  std::optional<CheckpointFile> found_;
  std::string run_id_;
  bool may_go_back_;
  bool replaces_earlier_;  // the first write removes all checkpoints of an earlier run
  bool has_written_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;  // written, or tried to
  CheckpointTimes times_;
};

// The folder of a run's checkpoints.
std::string checkpoint_folder(const std::string& run);

}  // namespace plimsoll
