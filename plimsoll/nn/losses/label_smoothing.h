// Label smoothing for a loss that has it.
#pragma once

#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

// True if the loss has the setting label_smoothing.
bool takes_label_smoothing(const Loss& loss);

// The loss with this share of label smoothing, from 0 on and below 1. InvalidArgument names the
// losses that have it if this one does not.
Loss with_label_smoothing(const Loss& loss, double share);

}  // namespace plimsoll
