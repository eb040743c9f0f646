// A loss with another setting: label smoothing, or whether it takes logits.
#pragma once

#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

// True if the loss has the setting label_smoothing.
bool takes_label_smoothing(const Loss& loss);

// The loss with this share of label smoothing, from 0 on and below 1. InvalidArgument names the
// losses that have it if this one does not.
Loss with_label_smoothing(const Loss& loss, double share);

// True if the loss has the setting from_logits.
bool takes_from_logits(const Loss& loss);
// The loss that takes logits, or no longer does. InvalidArgument names the losses that have the
// setting if this one does not.
Loss with_from_logits(const Loss& loss, bool from_logits);

}  // namespace plimsoll
