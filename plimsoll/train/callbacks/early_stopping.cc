#include "plimsoll/train/callbacks/early_stopping.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

EarlyStopping::EarlyStopping(const EarlyStoppingOptions& options)
    : options_(options),
      monitor_({"EarlyStopping", options.monitor, options.mode, options.min_delta}) {}

int64_t EarlyStopping::planned_bytes(const Model& model) const {
  int64_t bytes = 0;
  if (options_.restore_best_weights && best_weights_.empty())
    for (const Variable& weight : model.weights())
      bytes += Storage::footprint(weight.spec().bytes());
  return bytes;
}

void EarlyStopping::on_train_begin(TrainingState& state) {
  wait_ = stopped_epoch_ = best_epoch_ = 0;
  best_.reset();
  has_weights_ = false;
  best_weights_.clear();
  if (!options_.restore_best_weights) return;
  weight_specs_.clear();
  for (const Variable& weight : state.model.weights()) {
    weight_specs_.push_back(weight.spec());
    best_weights_.push_back(std::make_shared<Storage>(weight.spec().bytes()));
    best_weights_.back()->touch();
  }
}

void EarlyStopping::keep_weights(const Model& model) {
  const Variables weights = model.weights();
  for (size_t i = 0; i < weights.size(); ++i)
    std::memcpy(best_weights_[i]->data(), weights[i].data(),
                static_cast<size_t>(weights[i].spec().bytes()));
  has_weights_ = true;
}

void EarlyStopping::save_state(StateWriter& to) const {
  to.numbers("counts", std::array{wait_, stopped_epoch_, best_epoch_});
  to.real("best", best_);
  to.number("has_weights", has_weights_);
  if (!has_weights_) return;
  for (size_t i = 0; i < best_weights_.size(); ++i)
    to.bytes(fmt::format("weight-{}", i), weight_specs_[i],
             {best_weights_[i]->data(), static_cast<size_t>(weight_specs_[i].bytes())});
}

void EarlyStopping::load_state(const StateReader& from) {
  const std::vector<int64_t> counts = from.numbers("counts");
  if (counts.size() != 3) throw CorruptFile(from.path() + ": it is not the state of EarlyStopping");
  wait_ = counts[0];
  stopped_epoch_ = counts[1];
  best_epoch_ = counts[2];
  best_ = from.real_if_any("best");
  has_weights_ = from.number("has_weights") != 0;
  if (!has_weights_) return;
  for (size_t i = 0; i < best_weights_.size(); ++i)
    from.bytes(fmt::format("weight-{}", i),
               {best_weights_[i]->data(), static_cast<size_t>(weight_specs_[i].bytes())});
}

void EarlyStopping::on_epoch_end(TrainingState& state) {
  const std::optional<double> current = monitor_.value(state);
  if (!current || state.epoch < options_.start_from_epoch) return;
  const auto improves = [&](std::optional<double> reference) {
    return monitor_.is_improvement(*current, reference, state.model);
  };
  if (options_.restore_best_weights && !has_weights_) {
    keep_weights(state.model);
    best_epoch_ = state.epoch;
  }
  ++wait_;
  if (improves(best_)) {
    best_ = current;
    best_epoch_ = state.epoch;
    if (options_.restore_best_weights) keep_weights(state.model);
    if (!options_.baseline || improves(options_.baseline)) wait_ = 0;
  } else if (wait_ >= options_.patience && state.epoch > 0) {
    stopped_epoch_ = state.epoch;
    state.stop_training = true;
  }
}

void EarlyStopping::on_train_end(TrainingState& state) {
  const bool is_loud = options_.verbose > 0;
  if (stopped_epoch_ > 0 && is_loud)
    state.say(fmt::format("Epoch {}: early stopping", stopped_epoch_ + 1));
  if (!has_weights_) return;
  if (is_loud)
    state.say(
        fmt::format("Restoring the weights from the end of the best epoch: {}", best_epoch_ + 1));
  Variables weights = state.model.weights();
  for (size_t i = 0; i < weights.size(); ++i)
    weights[i].set_bytes(
        {best_weights_[i]->data(), static_cast<size_t>(weights[i].spec().bytes())});
  best_weights_.clear();
  has_weights_ = false;
}

}  // namespace plimsoll
