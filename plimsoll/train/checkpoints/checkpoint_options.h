// What fit takes about its checkpoints.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/stop_signals.h"

namespace plimsoll {

// The most of a run's time that checkpoints take by themselves, unless more of them are asked for.
// What comes with them (the one at the end of the run, the first, whose time is not known before,
// fingerprints of the data) takes the rest of the 3% that are promised.
inline constexpr double kMostCheckpointShare = 0.02;

// What is asked of a run from outside, after each batch.
enum class CheckpointWish { none, save, save_and_stop };

struct CheckpointOptions {
  // No longer apart than this; more often while the run is young, so that a kill costs at most a
  // tenth of what was done, and at the ends of epochs. All together take at most 2% of the time,
  // and up to 15% for a while after a kill.
  double every_seconds = 60;
  int64_t every_steps = 0;  // and each time that so many training steps are done; 0: by time alone
  // The last so many stay on the disk, and the best of those at ends of epochs. 0: none is written,
  // and the run keeps its record and its bad steps alone.
  int keep = 2;
  bool go_on = true;       // false: the run begins anew and replaces the one that is there
  int64_t free_bytes = 0;  // that the disk must have left after a checkpoint, for files of the end
  // A run goes on although its data, its model or an option is not what it was; what changed is
  // reported. Without: InvalidArgument names it.
  bool allow_changed = false;
  // Asked after each batch, also of a validation: a signal may want a checkpoint, or the end. With
  // save_and_stop fit writes one and throws Interrupted.
  std::function<CheckpointWish()> wish = {};
  // SIGTERM and SIGHUP end the run after the current batch: fit writes a checkpoint and throws
  // Stopped. SIGUSR1 wants a checkpoint. Only those are taken that the process does not handle, and
  // only while fit runs. A second SIGTERM ends the process at once.
  bool takes_signals = false;
  // fit keeps the record of the run too: run.json, log.jsonl, the model and what else is in
  // docs/formats/run.md. False: the folder has checkpoints alone.
  bool keeps_record = true;
  // Writes the model into this .keras file of the record; empty: save_model() does. What it throws
  // is reported, and the run goes on without the file.
  std::function<void(const std::string& path)> save_model = {};
  // Settings of the program that the run depends on, by name, beside those that fit knows.
  std::map<std::string, std::string> settings = {};
};

// The time of FitOptions::max_time is over: the run ended in good order.
class OutOfTime : public Interrupted {
 public:
  OutOfTime() : Interrupted("the time of max_time is over") {}
};

}  // namespace plimsoll
