// ModelCheckpoint: saves the model, or its weights, as training goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/callbacks/monitor.h"

namespace plimsoll {

// Saves after each epoch, or each time that so many batches are done.
struct SaveFrequency {
  SaveFrequency(const char* epoch = "epoch") : SaveFrequency(std::string(epoch)) {}
  SaveFrequency(const std::string& epoch);
  SaveFrequency(int64_t number_of_batches);

  int64_t batches = 0;  // 0: epochs
};

struct ModelCheckpointOptions {
  std::string monitor = "val_loss";
  int verbose = 0;
  bool save_best_only = false;     // by `monitor`
  bool save_weights_only = false;  // to a file that ends in .weights.h5
  std::string mode = "auto";       // "min", "max"
  SaveFrequency save_freq = "epoch";
  std::optional<double> initial_value_threshold = {};  // the best value so far
};

// The file name may have placeholders (file_pattern.h). Its folder is made if it is missing; an
// existing file is replaced.
class ModelCheckpoint final : public Callback {
 public:
  // InvalidArgument unless the name ends in .keras or .h5, or in .weights.h5 for weights alone.
  explicit ModelCheckpoint(std::string filepath, const ModelCheckpointOptions& options = {});

  void on_train_batch_end(TrainingState& state) override;
  void on_epoch_end(TrainingState& state) override;

  int64_t planned_bytes(const Model& model) const override;
  void save_state(StateWriter& to) const override;
  void load_state(const StateReader& from) override;

  std::optional<double> best() const { return best_; }

 private:
  bool should_save(TrainingState& state, const std::string& path);
  void save(TrainingState& state, std::optional<int64_t> batch);
  void say(TrainingState& state, const std::string& what) const;

  std::string filepath_;
  ModelCheckpointOptions options_;
  Monitor monitor_;
  std::optional<double> best_;
  int64_t batches_since_ = 0;  // since it last saved
};

}  // namespace plimsoll
