// RunStoryteller: keeps what happens in a run of fit, for the doctor. A log on disk is for the
// command; a program asks this:
//
//   const auto teller = std::make_shared<RunStoryteller>();
//   model.fit(data, {.callbacks = {teller}});
//   TrainingCase found = model.examine(data);
//   found.run = teller->story();
//   const Diagnosis diagnosis = diagnose(found);
#pragma once

#include "plimsoll/record/run_story.h"
#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/callbacks/growing_lines.h"
#include "plimsoll/train/callbacks/step_clock.h"

namespace plimsoll {

class RunStoryteller final : public Callback {
 public:
  void on_train_begin(TrainingState& state) override;
  void on_train_end(TrainingState& state) override;
  void on_train_batch_begin(TrainingState&) override { clock_.begin(); }
  void on_train_batch_end(TrainingState&) override { clock_.end(); }
  void on_epoch_end(TrainingState& state) override;
  bool wants_statistics() const override { return true; }
  void on_statistics(TrainingState& state, const StepStatistics& statistics) override;
  bool on_not_finite(TrainingState& state, const NotFinite& error) override;

  void save_state(StateWriter& to) const override;
  void load_state(const StateReader& from) override;

  // Whether the data was shuffled, whether classes had weights, and whether a command has trained
  // the run, is for the program to set.
  RunStory& story() { return story_; }

 private:
  RunStory story_;
  StepClock clock_;
  GrowingLines growing_;
};

}  // namespace plimsoll
