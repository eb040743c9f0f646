// ReduceLROnPlateau: lowers the learning rate when a number in the logs gets no better.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/callbacks/monitor.h"

namespace plimsoll {

struct ReduceLROnPlateauOptions {
  std::string monitor = "val_loss";
  double factor = 0.1;    // below 1: the new rate is the old one times this
  int64_t patience = 10;  // epochs without improvement
  int verbose = 0;
  std::string mode = "auto";  // "min", "max"
  double min_delta = 1e-4;    // a smaller change is no improvement
  int64_t cooldown = 0;       // epochs after a reduction that do not count
  double min_lr = 0;
};

// Adds "learning_rate" to the logs: the rate that the epoch was trained with.
class ReduceLROnPlateau final : public Callback {
 public:
  // InvalidArgument where the factor is not below 1.
  explicit ReduceLROnPlateau(const ReduceLROnPlateauOptions& options = {});

  void on_train_begin(TrainingState& state) override;
  void on_epoch_end(TrainingState& state) override;
  void save_state(StateWriter& to) const override;
  void load_state(const StateReader& from) override;

 private:
  bool reduce(TrainingState& state) const;

  ReduceLROnPlateauOptions options_;
  Monitor monitor_;
  std::optional<double> best_;
  int64_t wait_ = 0, cooldown_ = 0;
};

}  // namespace plimsoll
