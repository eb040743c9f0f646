// ObserverCallback: reports the progress of a run to a RunObserver, which knows nothing of models.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/record/run_observer.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

class ObserverCallback final : public Callback {
 public:
  explicit ObserverCallback(std::shared_ptr<RunObserver> observer);

  void on_train_begin(TrainingState& state) override;
  void on_epoch_begin(TrainingState& state) override;
  void on_resume(TrainingState& state) override { on_epoch_begin(state); }
  void on_train_batch_end(TrainingState& state) override;
  void on_epoch_end(TrainingState& state) override;
  void on_train_end(TrainingState& state) override;

  void on_test_begin(TrainingState& state) override;
  void on_test_batch_end(TrainingState& state) override;
  void on_test_end(TrainingState& state) override;
  void on_predict_begin(TrainingState& state) override;
  void on_predict_batch_end(TrainingState& state) override;
  void on_predict_end(TrainingState& state) override;

 private:
  const Progress& progress(TrainingState& state, std::string_view work);

  std::shared_ptr<RunObserver> observer_;
  bool is_training_ = false;          // evaluations within fit are not reported as evaluations
  double earlier_wait_ = 0;           // seconds that steps waited for data before this epoch
  std::vector<NamedNumber> numbers_;  // the logs, the loss first
  Progress progress_;
};

}  // namespace plimsoll
