// RunRecorder: the callback that keeps a RunRecord. It begins the record when everything is
// allocated but the arena; then it notes what happens.
#pragma once

#include <utility>
#include <vector>

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/callbacks/growing_lines.h"
#include "plimsoll/train/callbacks/step_clock.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/runs/run_record.h"

namespace plimsoll {

class RunRecorder : public Callback {
 public:
  // The record must outlive it.
  RunRecorder(RunRecord& record, const Model& model, RunRecord::Facts facts, bool notes_statistics)
      : record_(record),
        facts_(std::move(facts)),
        model_(model),
        notes_statistics_(notes_statistics) {}

  // How the data is read, known once the run is planned.
  void set_schema(TableSchema schema) { facts_.schema = std::move(schema); }

  // The model is saved when the run ends.
  int64_t planned_bytes(const Model& model) const override { return saving_bytes(model); }
  void on_train_begin(TrainingState& state) override {
    growing_.begin();
    record_.begin(facts_, state, findings());
  }
  void on_train_batch_begin(TrainingState&) override { clock_.begin(); }
  void on_train_batch_end(TrainingState& state) override {
    clock_.end();
    record_.end_batch(state);
  }
  void on_epoch_end(TrainingState& state) override {
    record_.end_epoch(state, clock_.take(), growing_.end_epoch());
  }
  bool wants_statistics() const override { return notes_statistics_; }
  void on_statistics(TrainingState&, const StepStatistics& statistics) override {
    record_.note(statistics);
  }
  void on_bad_record(TrainingState&, const BadRecord& record) override {
    record_.quarantine(record);
  }
  bool on_not_finite(TrainingState& state, const NotFinite& error) override {
    record_.not_finite(state, error);
    return false;
  }
  void save_state(StateWriter& to) const override { record_.save_state(to, model_); }
  void load_state(const StateReader& from) override { record_.load_state(from, model_); }

 protected:
  // What was found before the run begins.
  virtual std::vector<Finding> findings() const { return {}; }

  RunRecord& record_;
  RunRecord::Facts facts_;

 private:
  Model model_;
  bool notes_statistics_;
  StepClock clock_;
  GrowingLines growing_;
};

}  // namespace plimsoll
