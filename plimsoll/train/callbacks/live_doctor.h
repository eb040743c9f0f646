// LiveDoctor: looks at a run while it goes on and reports what spoils it, each cause once. A sound
// run hears nothing.
//
//   model.fit(x, y, {.epochs = 50, .callbacks = {LiveDoctor(Dataset(x, y))}});
//
// It looks after epochs 3, 5, 8, 12, 18, …, and after the last one: so rarely that it takes less
// than a hundredth of the time. Steps are not touched. As long as the loss falls it says nothing,
// for a run that learns needs no help; what more epochs would cure is for the doctor to say when
// the run is over. A run that ends because a loss is not finite hears why.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/guards/doctor/diagnosis.h"
#include "plimsoll/train/callbacks/run_storyteller.h"
#include "plimsoll/train/data/dataset.h"

namespace plimsoll {

struct LiveDoctorOptions {
  bool statistics = true;                              // reads those of sampled steps too
  bool is_shuffled = true, has_class_weights = false;  // as FitOptions say
  bool is_of_command = false;                          // it is `plimsoll train` that calls fit
  // Is told of each cause; empty: it is reported as a Finding (report_finding.h).
  std::function<void(const DiagnosedCause&)> tell = {};
};

class LiveDoctor final : public Callback {
 public:
  // `data` is what the model is trained on; without it, fewer causes are found.
  explicit LiveDoctor(Dataset data = {}, LiveDoctorOptions options = {});

  int64_t planned_bytes(const Model& model) const override;
  void on_train_begin(TrainingState& state) override;
  void on_train_end(TrainingState& state) override { teller_.on_train_end(state); }
  void on_epoch_end(TrainingState& state) override;
  void on_train_batch_begin(TrainingState& state) override { teller_.on_train_batch_begin(state); }
  void on_train_batch_end(TrainingState& state) override { teller_.on_train_batch_end(state); }
  bool wants_statistics() const override { return options_.statistics; }
  void on_statistics(TrainingState& state, const StepStatistics& statistics) override;
  bool on_not_finite(TrainingState& state, const NotFinite& error) override;
  void save_state(StateWriter& to) const override;
  void load_state(const StateReader& from) override;

  // Is told of each cause too; empty: nobody else is. That is the record of a run of fit.
  void also_tell(std::function<void(const DiagnosedCause&)> listener) {
    listener_ = std::move(listener);
  }

  // What has happened so far.
  const RunStory& story() { return teller_.story(); }
  // The model as it was when training began.
  const ModelFacts& model() const { return case_.model; }

 private:
  void look_at_data(const Model& model, bool is_over);
  void tell(const Diagnosis& diagnosis, bool has_failed);

  Dataset data_;
  LiveDoctorOptions options_;
  std::function<void(const DiagnosedCause&)> listener_;
  RunStoryteller teller_;
  TrainingCase case_;
  int64_t next_epoch_ = 0;  // after which it looks, from 1
  std::set<std::string> told_;
};

}  // namespace plimsoll
