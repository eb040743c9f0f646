// RunRecord: what a training run leaves in its folder while it goes on: run.json, log.jsonl,
// plan.json, classes.json, data.json, model.keras and best.keras.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/formats/tables/table_schema.h"
#include "plimsoll/guards/doctor/diagnosis.h"
#include "plimsoll/record/run_folder.h"
#include "plimsoll/record/run_log.h"
#include "plimsoll/record/step_picture.h"
#include "plimsoll/record/step_statistics.h"
#include "plimsoll/train/callbacks/kept_models.h"
#include "plimsoll/train/callbacks/step_clock.h"
#include "plimsoll/train/memory/memory_plan.h"
#include "plimsoll/train/model.h"

namespace plimsoll::cli {

// How a run ended.
struct Ending {
  std::string status = "done", why = {};  // "stopped", "failed"
  int code = kDone;
  bool has_diverged = false;  // it failed because a loss or gradient is not finite
};

class RunRecord {
 public:
  // Makes the folder, not yet in its place; or, if the run `goes_on`, takes the one that is there.
  RunRecord(const TrainArguments& arguments, bool goes_on);

  const RunFolder& folder() const { return folder_; }

  struct Facts {
    std::string model_hash;
    int64_t records = 0, validation_records = 0;
    int64_t seed = 0;
    int threads = 0;
    std::vector<std::string> class_names;
    std::optional<BestBy> best;  // none: best.keras is not kept
    TableSchema schema = {};     // no inputs: nothing is kept
  };
  // plan.json, before the run begins. A run that goes on keeps that of its beginning.
  void keep_picture(const StepPicture& picture);
  // The run begins: the folder takes its place, and what is known is written. IoError where the
  // disk has no room for the models.
  void begin(const Facts& facts, TrainingState& state, const Findings& findings);
  // What it has written, for a checkpoint. Loading drops what was written after that: the run will
  // write it again.
  void save_state(StateWriter& to, const Model& model);
  void load_state(const StateReader& from, const Model& model);
  bool has_begun() const { return has_begun_; }
  void end_batch(const TrainingState& state) {
    batches_done_ = state.batches_done;
    step_seconds_ = state.step_seconds;
  }
  // An epoch is done. Saves the models if they were last saved a while ago.
  void end_epoch(TrainingState& state, const StepClock::Times& times);
  // What a sampled step showed.
  void note(const StepStatistics& statistics);
  // A cause that spoils the run.
  void note(const DiagnosedCause& cause);
  // Notes in quarantine.jsonl a record that is left out; the file is made for the first of them.
  void quarantine(const BadRecord& record);
  // Notes a step whose loss or gradients are not finite, and where that began.
  void not_finite(const TrainingState& state, const NotFinite& error);
  // The best number so far of the metric by which best.keras is chosen.
  std::optional<double> best_value() const { return kept_ ? kept_->best_value() : std::nullopt; }
  int64_t quarantined() const { return quarantined_; }
  void set_wait_share(double share) { wait_share_ = share; }
  // What the result says about --early-stopping.
  void set_stopping(const EarlyStopping& stopping);
  // "2 epoch(s)", "2 epoch(s) and 17 batch(es)"
  std::string done() const;

  // The run is over. Saves what was learnt, also in a part of an epoch; if the run failed, only
  // what was learnt in whole epochs, and never a model for which `is_finite`, which looks at the
  // model as it then is, is false. If saving fails, the run has failed: that is written, and the
  // error thrown.
  void end(const Model& model, const Ending& ending, const std::function<bool()>& is_finite);
  const MemoryPlan& plan() const { return plan_; }
  // {"status", "epochs", "metrics", "measured_peak_bytes", …}
  const nlohmann::ordered_json& result() const;
  // Which models are in the folder: "run/model.keras is saved after 3 epoch(s)".
  std::string saved_text() const;
  ~RunRecord();

  // That models and last words need at the end: room that checkpoints must leave.
  static int64_t bytes_at_end(const Model& model);

 private:
  void check_disk(const Model& model, const TrainingState& state, bool validates) const;
  void begin_anew(const Facts& facts, const MemoryPlan& plan, const Findings& findings);
  void go_on(const Findings& findings);
  // There is a new model: what belongs to it replaces what belonged to that of an earlier run.
  void replace_earlier();
  void save(const Model& model, const Ending& ending, const std::function<bool()>& is_finite);
  void write_result(const Ending& ending);
  void write_end();
  // Why there is no model.keras of this run.
  std::string unsaved_text() const;
  void write_run_json() const;

  struct State;
  const TrainArguments& arguments_;
  const bool goes_on_;
  RunFolder folder_;
  RunLog log_;
  bool has_begun_ = false;
  int64_t epochs_done_ = 0;
  int64_t batches_done_ = 0;  // in the epoch after them
  double step_seconds_ = 0;   // measured
  double wait_share_ = 0;     // of the time of steps, for data
  int64_t quarantined_ = 0;
  std::string not_saved_;           // why the models could not be written
  bool looked_for_finite_ = false;  // among the models that were kept
  std::optional<RunLog> quarantine_;
  std::optional<KeptModels> kept_;
  std::optional<FileDescriptor> reserve_;  // room on the disk for the last words of a run
  MemoryPlan plan_;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll::cli
