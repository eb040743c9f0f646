#include "plimsoll/train/callbacks/reduce_lr_on_plateau.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/checkpoint/state.h"

namespace plimsoll {

ReduceLROnPlateau::ReduceLROnPlateau(const ReduceLROnPlateauOptions& options)
    : options_(options),
      monitor_({"ReduceLROnPlateau", options.monitor, options.mode, options.min_delta}) {
  if (!(options.factor < 1))
    throw InvalidArgument(
        fmt::format("ReduceLROnPlateau: factor must be below 1, found {}", options.factor));
}

void ReduceLROnPlateau::on_train_begin(TrainingState&) {
  best_.reset();
  wait_ = cooldown_ = 0;
}

void ReduceLROnPlateau::save_state(StateWriter& to) const {
  to.real("best", best_);
  to.number("wait", wait_);
  to.number("cooldown", cooldown_);
}

void ReduceLROnPlateau::load_state(const StateReader& from) {
  best_ = from.real_if_any("best");
  wait_ = from.number("wait");
  cooldown_ = from.number("cooldown");
}

bool ReduceLROnPlateau::reduce(TrainingState& state) const {
  const double old = state.learning_rate();
  if (!(old > static_cast<float>(options_.min_lr))) return false;
  const double reduced = std::max(old * options_.factor, options_.min_lr);
  state.set_learning_rate(reduced);
  if (options_.verbose > 0) {
    char text[80];
    std::snprintf(text, sizeof text, "Epoch %lld: the learning rate is reduced to %.6g",
                  static_cast<long long>(state.epoch + 1), reduced);
    state.say(text);
  }
  return true;
}

void ReduceLROnPlateau::on_epoch_end(TrainingState& state) {
  state.logs()["learning_rate"] = state.learning_rate();
  const std::optional<double> current = monitor_.value(state);
  if (!current) return;
  if (cooldown_ > 0) {
    --cooldown_;
    wait_ = 0;
  }
  if (monitor_.is_improvement(*current, best_, state.model)) {
    best_ = current;
    wait_ = 0;
  } else if (cooldown_ == 0 && ++wait_ >= options_.patience && reduce(state)) {
    cooldown_ = options_.cooldown;
    wait_ = 0;
  }
}

}  // namespace plimsoll
