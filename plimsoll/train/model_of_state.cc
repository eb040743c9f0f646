// What a training state asks of its model.
#include "plimsoll/train/callbacks/training_state.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

TrainingState::TrainingState(Model& model_in)
    : model(model_in), stop_training(model_in.stop_training()) {}

double TrainingState::learning_rate() const {
  return model.optimizer()->current_learning_rate();
}

void TrainingState::set_learning_rate(double value) {
  model.optimizer()->set_learning_rate(value);
}

}  // namespace plimsoll
