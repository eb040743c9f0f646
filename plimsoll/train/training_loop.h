// TrainingLoop: the epochs of a run of fit, once everything is planned.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plimsoll/train/callbacks/first_left_out.h"
#include "plimsoll/train/callbacks/history.h"
#include "plimsoll/train/checkpoints/checkpoints.h"
#include "plimsoll/train/checkpoints/run_identity.h"
#include "plimsoll/train/checkpoints/run_wishes.h"
#include "plimsoll/train/data/epoch_batches.h"
#include "plimsoll/train/evaluation.h"
#include "plimsoll/train/fit_options.h"
#include "plimsoll/train/step_sampler.h"

namespace plimsoll {

// The mean of all steps but the first, which takes the arena's memory too.
class StepTime {
 public:
  void add(double seconds) {
    ++count_;
    (count_ == 1 ? first_ : rest_) += seconds;
  }
  double total() const { return first_ + rest_; }
  double mean() const { return count_ > 1 ? rest_ / static_cast<double>(count_ - 1) : first_; }

 private:
  int64_t count_ = 0;
  double first_ = 0, rest_ = 0;
};

// Of the checkpoints at ends of epochs, the one of the least loss (of the validation, if there is
// one).
struct BestCheckpoint {
  std::optional<int64_t> step = {};
  double loss = 0;
};

class TrainingLoop {
 public:
  // What a run keeps on the disk.
  struct Kept {
    Checkpoints& checkpoints;
    const RunIdentity& identity;
  };
  // All that is referred to must outlive it; `validation` and `kept` may be null.
  TrainingLoop(Model& model, ModelSteps& steps, const FitOptions& options, const RunWishes& wishes,
               const Callbacks& callbacks, BucketPasses& train, Evaluation* validation,
               const Kept* kept = nullptr);

  // True if a run that goes on from this checkpoint has no step to do.
  static bool is_over(const StateReader& checkpoint, const FitOptions& options);

  // `memory` is what was planned.
  History run(const MemoryPlan& memory);

 private:
  void tell(void (Callback::*hook)(TrainingState&));
  void run_epoch(int64_t epoch);
  // False where the data has no batch left.
  bool begin_epoch(int64_t epoch);
  void run_batches();
  // Where the epoch begins in the data; none: the data has no batch left.
  std::optional<EpochBatches::Range> begin_range();
  std::optional<int64_t> expected_batches(const EpochBatches::Range& range) const;
  void stop_without_data(int64_t epoch);
  // Within an epoch.
  void end_stream();
  void warn_of_end(int64_t batches);
  void run_batch();
  // What is done about a step that is not finite, in training_loop_bad_steps.cc.
  NotFinite explained(const NotFinite& error);
  // Which weights are not finite before the run's first update, or after it went back.
  void note_bad_weights();
  // Names the update where a weight has become bad in this run.
  void blame_update(FirstBad& first) const;
  std::optional<int64_t> put_back_weights();
  // True if the run
  // goes on with the next batch; RolledBack is thrown if it goes on from a checkpoint. False: it
  // ends, and `error` says why it could not go on.
  bool gets_over(NotFinite& error);
  // Empty: the step is skipped. Else why it cannot be.
  std::string skip_step(const NotFinite& error);
  // Why the run cannot go back, if it returns.
  std::string roll_back(const NotFinite& error);
  // Returns the epoch that comes next.
  int64_t go_back();
  void forget_later_checkpoints();
  // Returns the epoch that comes next.
  int64_t run_epoch_or_go_back(int64_t epoch);
  // Those of skipped steps.
  void leave_out_records();
  // Keeps the state before the step and its batch, for a replay.
  void write_bad_step();
  void finish_epoch(int64_t epoch);
  void validate(Logs& logs);

  // Goes on from the checkpoint that was found, if one was; returns the epoch to run.
  int64_t resume();
  void save_state(StateWriter& to) const;
  void load_state(const StateReader& from);
  void save_history(StateWriter& to) const;
  void load_history(const StateReader& from);
  // Writes a checkpoint if it is time to, or if one is asked for. Throws a kind of Interrupted
  // where the run is asked to stop.
  void checkpoint_if_due();
  // A run goes on if its checkpoint cannot be written; that is said, and false returned.
  bool write_checkpoint();
  // Once per cause, until one could be written again.
  void warn_of_lost_checkpoint(const Error& error);
  // The best checkpoint, if this one is written too.
  BestCheckpoint best_with_this() const;

  ModelSteps& steps_;
  const FitOptions& options_;
  const RunWishes& wishes_;
  const Callbacks& callbacks_;
  BucketPasses& train_;
  Evaluation* validation_;
  TrainingState state_, test_state_;  // of training and of its validations
  bool is_finite_ = true;             // every batch of this epoch was
  bool has_warned_ = false;           // of data that ends early
  const Kept* kept_;
  EpochBatches batches_;
  EpochBatches::Range range_{0, 0, 0};  // of the epoch
  int64_t next_batch_ = 0;              // in the data
  int64_t steps_done_ = 0;              // of training, in all epochs
  bool has_trained_ = false;            // in this process
  bool is_epoch_done_ = false;          // state_.epoch has ended: the next one has not begun
  bool goes_on_ = false;                // in the middle of an epoch
  bool is_saved_ = false;               // the newest checkpoint has this state
  double earlier_seconds_ = 0;          // of this epoch, before the run went on
  // What the metrics have counted in training, while a validation uses them.
  std::optional<std::vector<std::vector<std::byte>>> held_metrics_;
  std::optional<StepSampler> sampler_;  // none: no callback wants statistics
  StepWatch* watch_ = nullptr;          // of the batch; null: its operations are not watched
  StepTime step_time_;
  std::optional<BadBatch> bad_batch_;  // while callbacks are told of it
  std::set<std::string> bad_weights_;  // names of those that were not finite at the beginning
  std::vector<int64_t> skipped_;       // the last steps that were
  std::optional<FirstLeftOut> first_left_out_;
  std::vector<std::string> left_out_;  // records of skipped steps, from the next pass on
  int64_t rollbacks_ = 0;              // so far, also of earlier processes
  std::optional<double> epoch_loss_;   // by which the best checkpoint is known, at an epoch's end
  BestCheckpoint best_;                // of those that were written
  std::set<std::string> said_causes_;  // why the last checkpoints could not be written
  History history_;
};

}  // namespace plimsoll
