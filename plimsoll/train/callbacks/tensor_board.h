// TensorBoard: writes event files that TensorBoard shows while a model is trained and after.
//
//   model.fit(data, {.epochs = 10, .callbacks = {pl::TensorBoard("logs/first")}});
//
// In a shell, "tensorboard --logdir logs" shows them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/formats/tensorflow/summary_value.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

class TrainingBoard;

struct TensorBoardOptions {
  // Histograms of all weights after every N-th epoch; 0: none but those of sampled steps.
  int64_t histogram_freq = 0;
  bool write_graph = true;
  bool write_steps_per_second = false;
  // The numbers of the epoch so far after every N batches, which costs a few microseconds each
  // time; 0: at the ends of epochs alone.
  int64_t update_freq = 0;
  // Loss, learning rate, and histograms of weights and gradients of sampled steps
  // (guards/statistics/sampled_steps.h says which) in LOG_DIR/steps.
  bool statistics = true;
  // Records that are left out, as text and as pictures. The plan counts 11 MiB for that.
  bool bad_records = false;
  // For the table of hyper-parameters, beside epochs, batch_size, optimizer and learning_rate.
  HyperParameters hyper_parameters = {};
  // Is written as text as it grows; must outlive the run.
  const std::vector<Finding>* findings = nullptr;
};

// A run that goes on from a checkpoint drops what was written after it and writes it again.
class TensorBoard final : public Callback {
 public:
  explicit TensorBoard(std::string log_dir = "logs", TensorBoardOptions options = {});

  // IoError where the folder cannot be written.
  void on_train_begin(TrainingState& state) override;
  void on_train_end(TrainingState& state) override;
  void on_epoch_begin(TrainingState& state) override;
  void on_epoch_end(TrainingState& state) override;
  void on_train_batch_end(TrainingState& state) override;
  void on_bad_record(TrainingState& state, const BadRecord& record) override;
  bool wants_statistics() const override { return options_.statistics; }
  void on_statistics(TrainingState& state, const StepStatistics& statistics) override;
  bool on_not_finite(TrainingState& state, const NotFinite& error) override;

  int64_t planned_bytes(const Model& model) const override;
  void save_state(StateWriter& to) const override;
  void load_state(const StateReader& from) override;

 private:
  void begin(TrainingState& state);
  void write_findings(int64_t epoch);
  void write_weights(const Model& model, int64_t epoch);

  std::string log_dir_;
  TensorBoardOptions options_;
  std::shared_ptr<TrainingBoard> board_;  // in a run
  std::vector<BadRecord> before_begin_;   // bad records that were found while the run was prepared
  int64_t steps_ = 0;                     // batches that are done
  int64_t findings_ = 0;                  // that are written
};

}  // namespace plimsoll
