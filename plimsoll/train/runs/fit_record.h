// FitRecord: the record of a run that a program trains with fit. Beside the checkpoints in
// FitOptions::run it leaves what `plimsoll train` leaves, as far as a program knows it.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "plimsoll/train/fit_options.h"
#include "plimsoll/train/runs/run_recorder.h"

namespace plimsoll {

// The callback of such a run. Checkpoints have its state in a place of its own, so that a run goes
// on from one that was written without a record.
class FitRecorder final : public RunRecorder {
 public:
  using RunRecorder::RunRecorder;
  void on_train_begin(TrainingState& state) override {
    facts_.options["batch_size"] = state.plan->batch_size;
    RunRecorder::on_train_begin(state);
  }
};

class FitRecord {
 public:
  // Takes the folder. InvalidArgument where another process writes the run, or where a model is
  // there and no checkpoint to go on from: it would be replaced.
  FitRecord(const FitOptions& options, bool goes_on);
  ~FitRecord();

  // `train` and `validation` (which may be null) are the records; how they are read, with the
  // numbers that repair them, is kept beside the models. What a LiveDoctor among the callbacks
  // finds is noted too.
  AnyCallback recorder(const Model& model, const Dataset& train, const Source* validation,
                       const ColumnValues& repair_values);
  // plan.json.
  void keep_picture(const StepPicture& picture) { record_.keep_picture(picture); }

  // The run is over, as `error` says; null: it is done. What cannot be written is reported, for the
  // run itself is as it is. The model keeps its weights. `is_finite` says whether the loss of the
  // model as it then is is finite.
  void end(const Model& model, const std::exception_ptr& error, double data_wait_share,
           const std::function<bool()>& is_finite);

 private:
  RunRecord::Facts facts_of(const Model& model, const Source& train,
                            const Source* validation) const;

  const FitOptions& options_;
  RunRecord record_;
};

// True if the run in the folder is done.
bool is_done_run(const std::string& run);

}  // namespace plimsoll
