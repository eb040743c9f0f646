// KeptTensors: notices tensors that the callbacks of a run keep from step to step or from epoch to
// epoch.
#pragma once

#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

class KeptTensors final : public Callback {
 public:
  void on_train_begin(TrainingState& state) override;
  // When an epoch begins, the line about the one before is complete.
  void on_epoch_begin(TrainingState& state) override;
  void on_train_batch_begin(TrainingState& state) override;
  void on_train_end(TrainingState& state) override;

 private:
  bool is_in_epoch_ = false;
};

}  // namespace plimsoll
