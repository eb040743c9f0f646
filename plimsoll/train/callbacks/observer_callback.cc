#include "plimsoll/train/callbacks/observer_callback.h"

#include "plimsoll/base/process_memory.h"

namespace plimsoll {
namespace {

// The loss, then the others, then the same of the validation.
int rank_of(std::string_view name) {
  const int validation = name.starts_with("val_") ? 2 : 0;
  return validation + (name == "loss" || name == "val_loss" ? 0 : 1);
}

}  // namespace

AnyCallback::AnyCallback(std::shared_ptr<RunObserver> observer)
    : callback_(std::make_shared<ObserverCallback>(std::move(observer))) {}

ObserverCallback::ObserverCallback(std::shared_ptr<RunObserver> observer)
    : observer_(std::move(observer)) {}

const Progress& ObserverCallback::progress(TrainingState& state, std::string_view work) {
  const Logs& logs = state.logs();
  numbers_.clear();
  for (int rank = 0; rank < 4; ++rank)
    for (const auto& [name, value] : logs)
      if (rank_of(name) == rank) numbers_.push_back({name, value});
  progress_ = {.work = work,
               .epoch = state.epoch,
               .epochs = state.epochs,
               .batch = state.batches_done,
               .batches = state.batches,
               .samples = state.samples,
               .seconds = state.seconds,
               .wait_seconds = state.wait_seconds - earlier_wait_,
               .resident_bytes = process_memory().resident_bytes,
               .planned_bytes = state.plan == nullptr ? 0 : state.plan->peak_bytes,
               .budget_bytes = state.plan == nullptr ? 0 : state.plan->budget_bytes,
               .unit = state.unit,
               .metrics = numbers_};
  return progress_;
}

void ObserverCallback::on_train_begin(TrainingState&) {
  is_training_ = true;
}

void ObserverCallback::on_train_end(TrainingState&) {
  is_training_ = false;
}

void ObserverCallback::on_epoch_begin(TrainingState& state) {
  earlier_wait_ = state.wait_seconds;
  observer_->on_epoch_begin(progress(state, "epoch"));
}

void ObserverCallback::on_train_batch_end(TrainingState& state) {
  observer_->on_batch_end(progress(state, "epoch"));
}

void ObserverCallback::on_epoch_end(TrainingState& state) {
  observer_->on_epoch_end(progress(state, "epoch"));
}

void ObserverCallback::on_test_begin(TrainingState& state) {
  if (!is_training_) observer_->on_epoch_begin(progress(state, "evaluate"));
}

void ObserverCallback::on_test_batch_end(TrainingState& state) {
  if (!is_training_) observer_->on_batch_end(progress(state, "evaluate"));
}

void ObserverCallback::on_test_end(TrainingState& state) {
  if (!is_training_) observer_->on_epoch_end(progress(state, "evaluate"));
}

void ObserverCallback::on_predict_begin(TrainingState& state) {
  observer_->on_epoch_begin(progress(state, "predict"));
}

void ObserverCallback::on_predict_batch_end(TrainingState& state) {
  observer_->on_batch_end(progress(state, "predict"));
}

void ObserverCallback::on_predict_end(TrainingState& state) {
  observer_->on_epoch_end(progress(state, "predict"));
}

}  // namespace plimsoll
