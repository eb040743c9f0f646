// EarlyStopping: ends training when a number in the logs gets no better.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/callbacks/kept_weights.h"
#include "plimsoll/train/callbacks/monitor.h"

namespace plimsoll {

struct EarlyStoppingOptions {
  std::string monitor = "val_loss";
  double min_delta = 0;  // a smaller change is no improvement
  int64_t patience = 0;  // epochs without improvement
  int verbose = 0;
  std::string mode = "auto";  // "min", "max"
  std::optional<double> baseline = {};
  bool restore_best_weights = false;  // keeps a copy of the weights, which the plan counts
  int64_t start_from_epoch = 0;
};

class EarlyStopping final : public Callback {
 public:
  explicit EarlyStopping(const EarlyStoppingOptions& options = {});

  void on_train_begin(TrainingState& state) override;
  void on_epoch_end(TrainingState& state) override;
  void on_train_end(TrainingState& state) override;
  int64_t planned_bytes(const Model& model) const override;
  void save_state(StateWriter& to) const override;
  void load_state(const StateReader& from) override;

  const std::string& monitor() const { return options_.monitor; }
  // 0 if it did not stop the training.
  int64_t stopped_epoch() const { return stopped_epoch_; }
  int64_t best_epoch() const { return best_epoch_; }
  std::optional<double> best() const { return best_; }

 private:
  EarlyStoppingOptions options_;
  Monitor monitor_;
  int64_t wait_ = 0, stopped_epoch_ = 0, best_epoch_ = 0;
  std::optional<double> best_;
  KeptWeights best_weights_;
};

}  // namespace plimsoll
