// RunRecord: what a training run leaves in its folder while it goes on: run.json, log.jsonl,
// plan.json, classes.json, data.json, model.keras and best.keras.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/formats/tables/table_schema.h"
#include "plimsoll/record/run_folder.h"
#include "plimsoll/record/run_log.h"
#include "plimsoll/record/run_story.h"
#include "plimsoll/record/step_picture.h"
#include "plimsoll/record/step_statistics.h"
#include "plimsoll/train/callbacks/early_stopping.h"
#include "plimsoll/train/callbacks/kept_models.h"
#include "plimsoll/train/callbacks/step_clock.h"
#include "plimsoll/train/memory/memory_plan.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

// How a run ended.
struct RunEnding {
  std::string status = "done", why = {};  // "stopped", "failed"
  bool has_diverged = false;              // it failed because a loss or gradient is not finite
};

// How the folder of a run is taken.
enum class TakeFolder {
  begin,    // it must be new or empty
  replace,  // or be that of a run, which is replaced
  share,    // or have whatever else in it; a run that is there is replaced
  go_on,    // the run that is there goes on, or begins where it has no run.json
};

class RunRecord {
 public:
  // Makes the folder, not yet in its place; or, if the run goes on, takes the one that is there.
  RunRecord(std::string folder, TakeFolder how);

  const RunFolder& folder() const { return folder_; }

  // What run.json says of the run that only its caller knows.
  struct Facts {
    // Its own members of run.json: how it was started, "model", "data" and "options".
    nlohmann::ordered_json start = {}, model = {}, data = {}, options = {};
    bool validates = false;
    int64_t seed = 0;
    int threads = 0;
    std::vector<std::string> class_names = {};
    std::optional<BestBy> best = {};  // none: best.keras is not kept
    TableSchema schema = {};          // no inputs: nothing is kept
    SaveModel save_model = {};        // how its models become files; none: save_model()
  };
  // plan.json, before the run begins. A run that goes on keeps that of its beginning.
  void keep_picture(const StepPicture& picture);
  // The run begins: the folder takes its place, and what is known is written. IoError where the
  // disk has no room for the models.
  void begin(const Facts& facts, TrainingState& state, const std::vector<Finding>& findings);
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
  void end_epoch(TrainingState& state, const StepClock::Times& times,
                 const std::vector<GrowingLine>& growing);
  // What a sampled step showed.
  void note(const StepStatistics& statistics);
  // Another event of the log.
  void note(const char* event, const nlohmann::ordered_json& fields) { log_.write(event, fields); }
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
  void end(const Model& model, const RunEnding& ending, const std::function<bool()>& is_finite);
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
  void begin_anew(const Facts& facts, const MemoryPlan& plan, const std::vector<Finding>& findings);
  void go_on(const Facts& facts, const std::vector<Finding>& findings);
  // There is a new model: what belongs to it replaces what belonged to that of an earlier run.
  void replace_earlier();
  void save(const Model& model, const RunEnding& ending, const std::function<bool()>& is_finite);
  void write_result(const RunEnding& ending);
  void write_end();
  // Why there is no model.keras of this run.
  std::string unsaved_text() const;
  void write_run_json() const;

  struct State;
  const std::string out_;  // the folder, as it was given
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

}  // namespace plimsoll
