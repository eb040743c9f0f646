// How large gradients are that reach the first layers.
#pragma once

#include "plimsoll/record/run_story.h"

namespace plimsoll {

// The size of the gradients of the first kernel in times of those of the last, the median over the
// sampled steps; 1 where there are fewer than three kernels, or no statistics.
double first_to_last_gradient(const RunStory& run);

}  // namespace plimsoll
