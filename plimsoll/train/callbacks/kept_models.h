// KeptModels: the models of a run that are worth keeping: that of its last epoch with a finite
// loss, and the best. While the run goes on they are on the disk (WeightSnapshot), and become files
// now and then.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/train/callbacks/monitor.h"
#include "plimsoll/train/callbacks/weight_growth.h"
#include "plimsoll/train/files/weight_snapshot.h"

namespace plimsoll {

// The number by which the best model is known.
struct BestBy {
  std::string metric = "val_loss";
  std::string mode = "auto";
};

// Writes a model into a .keras file. False: it cannot be in one, which has been said.
using SaveModel = std::function<bool(const Model&, const std::string& path)>;

class KeptModels {
 public:
  // A model that is in a file. Epochs are counted from 1; 0: there is no file.
  struct Saved {
    int64_t epoch = 0;
    double value = 0;  // of the metric, for the best
  };

  // For a model whose run begins; `save_model` makes its files. InvalidArgument if it is not
  // known whether the metric of the best should rise or fall.
  KeptModels(std::optional<BestBy> best, const Model& model, SaveModel save_model = {});

  // What they take of a disk at most, with the files that are being written.
  int64_t disk_bytes(const Model& model, int64_t epochs, bool validates) const;

  // Where its files go; called before all that follows.
  void use_folder(const std::string& folder) { folder_ = folder; }
  // An epoch is done.
  void end_epoch(TrainingState& state);
  // Writes model.keras, then best.keras, if half a minute has passed since.
  void save_now_and_then(const Model& model);
  // Called when model.keras has been written for the first time.
  void on_first_save(std::function<void()> call) { on_first_save_ = std::move(call); }

  // The run has ended as it should: the model is saved as it is. `epochs` are done.
  void save(const Model& model, int64_t epochs);
  // The run has failed: model.keras is that of the last whole epoch.
  void save_last_whole(const Model& model);
  // The run has diverged: model.keras is that of the last whole epoch for which `is_finite`, which
  // looks at the model as it then is. If no epoch is done, it is the model as it is, if that is
  // finite. Without one, model.keras stays as it is.
  void save_last_finite(const Model& model, const std::function<bool()>& is_finite);
  // The loss of the last epoch, or of its validation, is not finite.
  bool has_diverged() const { return has_diverged_; }
  // No loss says so, but the last steps may have left a model whose loss is not finite.
  bool is_doubtful(const Model& model) const { return growth_.is_doubtful(model); }

  // The models that are kept, for a run that goes on. Loading leaves other values in the model.
  void save_state(StateWriter& to, const Model& model) const;
  void load_state(const StateReader& from, const Model& model);

  // A model of this run is in model.keras: that of model().epoch, and if is_as_it_ended() of the
  // batches after it too.
  bool has_model() const { return has_model_; }
  const Saved& model() const { return model_; }
  bool is_as_it_ended() const { return is_as_it_ended_; }
  // is_finite() was asked about it.
  bool is_checked() const { return is_checked_; }
  const Saved& best() const { return best_file_; }
  // The best so far, whether it is in a file or not.
  std::optional<double> best_value() const { return best_value_; }
  const std::optional<BestBy>& best_by() const { return best_by_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Kept {
    WeightSnapshot weights;
    int64_t epoch = 0;
    double value = 0;
  };
  using KeptPtr = std::shared_ptr<Kept>;

  KeptPtr unused();
  KeptPtr keep(const Model& model, int64_t epoch);
  bool is_best(TrainingState& state, double& value);
  bool write(const Model& model, const std::string& path) const;
  void write_model(const Model& model, int64_t epoch);
  void write_best(const Model& model);
  // Saves what was kept, unless the file has it.
  void write_kept(const Model& model, const Kept& kept);

  std::optional<BestBy> best_by_;
  SaveModel save_model_;  // none: plimsoll::save_model
  std::optional<Monitor> monitor_;
  WeightGrowth growth_;
  std::optional<double> best_value_;
  std::optional<double> only_value_;  // of the best, if the run has one epoch: nothing is kept then
  std::string folder_;
  std::vector<KeptPtr> pool_;
  KeptPtr last_, before_, best_;
  bool has_diverged_ = false, has_model_ = false, is_as_it_ended_ = false, is_checked_ = false;
  Saved model_, best_file_;
  // A file may be newer than the state that was loaded: of epochs that the run has undone.
  bool model_may_differ_ = false, best_may_differ_ = false;
  Clock::time_point saved_at_ = Clock::now();
  std::function<void()> on_first_save_;
};

}  // namespace plimsoll
