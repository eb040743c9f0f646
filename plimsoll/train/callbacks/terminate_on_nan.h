// TerminateOnNaN: where the loss is NaN or infinite, training stops with a message instead of an
// error. The step that found it changed no weight.
#pragma once

#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

class TerminateOnNaN final : public Callback {
 public:
  bool on_not_finite(TrainingState& state, const NotFinite& error) override;
};

}  // namespace plimsoll
