// Callback: what a program wants to happen while a model is trained, evaluated or asked to predict.
// Derive a class from it, or use one of those in callbacks.h.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/data/loader/bad_records.h"
#include "plimsoll/train/callbacks/training_state.h"

namespace plimsoll {

class RunObserver;
class StateReader;
class StateWriter;
struct StepStatistics;
struct StepPicture;
class StepWatch;

// The hooks are Keras's, in Keras's order. One object may serve several runs, one after another.
class Callback {
 public:
  virtual ~Callback() = default;

  // Before fit takes the memory that it has planned. `picture` shows the training step of the
  // largest batch; it takes milliseconds to make.
  virtual void on_plan(const std::function<StepPicture()>&) {}

  virtual void on_train_begin(TrainingState&) {}
  virtual void on_train_end(TrainingState&) {}
  virtual void on_epoch_begin(TrainingState&) {}
  virtual void on_epoch_end(TrainingState&) {}
  virtual void on_train_batch_begin(TrainingState&) {}
  virtual void on_train_batch_end(TrainingState&) {}

  // Of evaluate, and of the validation in fit.
  virtual void on_test_begin(TrainingState&) {}
  virtual void on_test_end(TrainingState&) {}
  virtual void on_test_batch_begin(TrainingState&) {}
  virtual void on_test_batch_end(TrainingState&) {}

  virtual void on_predict_begin(TrainingState&) {}
  virtual void on_predict_end(TrainingState&) {}
  virtual void on_predict_batch_begin(TrainingState&) {}
  virtual void on_predict_batch_end(TrainingState&) {}

  // A record is left out of training or validation, as ReadingOptions allow. Called once for each.
  virtual void on_bad_record(TrainingState&, const BadRecord&) {}

  // Of some training steps, after their batch: what they showed of the model. Nothing is looked at
  // unless a callback wants it. Which steps depends on their numbers and on the work they are:
  // guards/statistics/sampled_steps.h.
  virtual bool wants_statistics() const { return false; }
  virtual void on_statistics(TrainingState&, const StepStatistics&) {}

  // Before a training batch: what is to see its operations while they run (engine/step_watch.h), or
  // null. The first callback that gives one is served, but not for a batch that is looked at for
  // statistics.
  virtual StepWatch* watch_batch(TrainingState&) { return nullptr; }

  // The bytes that the callback will hold while training, beyond the model's; the plan counts them.
  virtual int64_t planned_bytes(const Model&) const { return 0; }

  // What it must know to go on in another process (formats/checkpoint/state.h). A run that goes on
  // from a checkpoint calls on_train_begin, with state.is_resumed set, then load_state, then
  // on_resume in place of the on_epoch_begin of an epoch that had begun.
  virtual void save_state(StateWriter&) const {}
  virtual void load_state(const StateReader&) {}
  virtual void on_resume(TrainingState&) {}

  // The loss or a gradient of this batch is not finite; no weight was changed. If a callback
  // returns true, training stops; otherwise fit throws the error.
  virtual bool on_not_finite(TrainingState&, const NotFinite&) { return false; }
};

// A shared handle to any callback: made from a callback, or from a pointer that the program keeps.
class AnyCallback {
 public:
  template <std::derived_from<Callback> Kind>
  AnyCallback(Kind callback) : callback_(std::make_shared<Kind>(std::move(callback))) {}
  template <std::derived_from<Callback> Kind>
  AnyCallback(std::shared_ptr<Kind> callback) : callback_(std::move(callback)) {}
  // Something that only watches, such as a log.
  AnyCallback(std::shared_ptr<RunObserver> observer);
  template <std::derived_from<RunObserver> Kind>
  AnyCallback(std::shared_ptr<Kind> observer)
      : AnyCallback(std::shared_ptr<RunObserver>(std::move(observer))) {}

  Callback* operator->() const { return callback_.get(); }

 private:
  std::shared_ptr<Callback> callback_;
};

using Callbacks = std::vector<AnyCallback>;

}  // namespace plimsoll
