#include "plimsoll/train/callbacks/terminate_on_nan.h"

namespace plimsoll {

bool TerminateOnNaN::on_not_finite(TrainingState& state, const NotFinite& error) {
  state.say("Batch " + std::to_string(state.batch) + ": training stops: " + error.what());
  return true;
}

}  // namespace plimsoll
