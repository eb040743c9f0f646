// RunRecord: what a training run leaves in its folder while it goes on: run.json, log.jsonl,
// classes.json and model.keras.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/record/run_folder.h"
#include "plimsoll/record/run_log.h"
#include "plimsoll/train/memory/memory_plan.h"
#include "plimsoll/train/model.h"

namespace plimsoll::cli {

class RunRecord {
 public:
  // Makes the folder, not yet in its place.
  explicit RunRecord(const TrainArguments& arguments);

  const RunFolder& folder() const { return folder_; }

  struct Facts {
    std::string model_hash;
    int64_t records = 0, validation_records = 0;
    int64_t seed = 0;
    int threads = 0;
    std::vector<std::string> class_names;
  };
  // The run begins: the folder takes its place, and what is known is written.
  void begin(const Facts& facts, const MemoryPlan& plan, const Findings& findings);
  bool has_begun() const { return has_begun_; }
  void end_batch(const TrainingState& state) {
    batches_done_ = state.batches_done;
    step_seconds_ = state.step_seconds;
  }
  // An epoch is done. Saves the model if it was last saved a while ago.
  void end_epoch(TrainingState& state);
  // Notes in quarantine.jsonl a record that is left out; the file is made for the first of them.
  void quarantine(const BadRecord& record);
  int64_t quarantined() const { return quarantined_; }
  void set_wait_share(double share) { wait_share_ = share; }
  // "2 epoch(s)", "2 epoch(s) and 17 batch(es)"
  std::string done() const;

  // The run is over: "done", "stopped" or "failed", and why. Saves what was learnt, also in a part
  // of an epoch; if the run failed, only what was learnt in whole epochs.
  void end(const Model& model, const std::string& status, const std::string& why);
  const MemoryPlan& plan() const { return plan_; }
  // {"status", "epochs", "metrics", "measured_peak_bytes", …}
  const nlohmann::ordered_json& result() const;
  ~RunRecord();

 private:
  void save(const Model& model);
  void write_run_json() const;

  struct State;
  const TrainArguments& arguments_;
  RunFolder folder_;
  RunLog log_;
  bool has_begun_ = false;
  int64_t epochs_done_ = 0;
  int64_t batches_done_ = 0;  // in the epoch after them
  double step_seconds_ = 0;   // measured
  double wait_share_ = 0;     // of the time of steps, for data
  int64_t quarantined_ = 0;
  std::optional<RunLog> quarantine_;
  MemoryPlan plan_;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll::cli
