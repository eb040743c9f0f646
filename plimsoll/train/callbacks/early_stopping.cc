#include "plimsoll/train/callbacks/early_stopping.h"

#include <fmt/format.h>

#include <array>

#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

EarlyStopping::EarlyStopping(const EarlyStoppingOptions& options)
    : options_(options),
      monitor_({"EarlyStopping", options.monitor, options.mode, options.min_delta}) {}

int64_t EarlyStopping::planned_bytes(const Model& model) const {
  return options_.restore_best_weights ? best_weights_.planned_bytes(model) : 0;
}

void EarlyStopping::on_train_begin(TrainingState& state) {
  wait_ = stopped_epoch_ = best_epoch_ = 0;
  best_.reset();
  best_weights_.forget();
  if (options_.restore_best_weights) best_weights_.reserve(state.model);
}

void EarlyStopping::save_state(StateWriter& to) const {
  to.numbers("counts", std::array{wait_, stopped_epoch_, best_epoch_});
  to.real("best", best_);
  best_weights_.save_state(to);
}

void EarlyStopping::load_state(const StateReader& from) {
  const std::vector<int64_t> counts = from.numbers("counts");
  if (counts.size() != 3) throw CorruptFile(from.path() + ": it is not the state of EarlyStopping");
  wait_ = counts[0];
  stopped_epoch_ = counts[1];
  best_epoch_ = counts[2];
  best_ = from.real_if_any("best");
  best_weights_.load_state(from);
}

void EarlyStopping::on_epoch_end(TrainingState& state) {
  const std::optional<double> current = monitor_.value(state);
  if (!current || state.epoch < options_.start_from_epoch) return;
  const auto improves = [&](std::optional<double> reference) {
    return monitor_.is_improvement(*current, reference, state.model);
  };
  if (options_.restore_best_weights && !best_weights_.has_weights()) {
    best_weights_.keep(state.model);
    best_epoch_ = state.epoch;
  }
  ++wait_;
  if (improves(best_)) {
    best_ = current;
    best_epoch_ = state.epoch;
    if (options_.restore_best_weights) best_weights_.keep(state.model);
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
  if (!best_weights_.has_weights()) return;
  if (is_loud)
    state.say(
        fmt::format("Restoring the weights from the end of the best epoch: {}", best_epoch_ + 1));
  best_weights_.restore(state.model);
  best_weights_.forget();
}

}  // namespace plimsoll
