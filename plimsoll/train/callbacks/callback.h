// Callback: what a program wants to happen while a model is trained, evaluated or asked to predict.
// Derive from it, or use one of those that are there (callbacks.h).
#pragma once

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/data/loader/bad_records.h"
#include "plimsoll/train/callbacks/training_state.h"

namespace plimsoll {

class RunObserver;

// The hooks are Keras's, in Keras's order. One object may serve several runs, one after another.
class Callback {
 public:
  virtual ~Callback() = default;

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

  // A record is left out of training or validation, as ReadingOptions allow. Once for each.
  virtual void on_bad_record(TrainingState&, const BadRecord&) {}

  // What it will hold in memory while training, beyond what the model does; the plan counts it.
  virtual int64_t planned_bytes(const Model&) const { return 0; }

  // The loss or a gradient of this batch is not finite; no weight was changed. Where a callback
  // answers true, training stops; otherwise fit throws the error.
  virtual bool on_not_finite(TrainingState&, const NotFinite&) { return false; }
};

// A shared handle to any callback: made from one, or from a pointer to one that the program keeps.
class AnyCallback {
 public:
  template <std::derived_from<Callback> Kind>
  AnyCallback(Kind callback) : callback_(std::make_shared<Kind>(std::move(callback))) {}
  template <std::derived_from<Callback> Kind>
  AnyCallback(std::shared_ptr<Kind> callback) : callback_(std::move(callback)) {}
  // Something that only watches, a log say.
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
