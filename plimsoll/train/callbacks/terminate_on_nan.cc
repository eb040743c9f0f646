#include "plimsoll/train/callbacks/terminate_on_nan.h"

#include <fmt/format.h>

namespace plimsoll {

bool TerminateOnNaN::on_not_finite(TrainingState& state, const NotFinite& error) {
  state.say(fmt::format("Batch {}: training stops: {}", state.batch, error.what()));
  return true;
}

}  // namespace plimsoll
