// Ways to clip gradients whose limit is not a setting but follows from the weights or from earlier
// gradients.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

struct UnitClip {
  double ratio = 0.01;  // the most that the norm of a unit's gradient may be of that of its weights
  double scale = 1;     // of the gradient: what it is multiplied by later
};

// Weights whose norm is less count as this, so that those that are 0 can learn.
inline constexpr double kLeastWeightNorm = 1e-3;

// Numbers along the last axis that are units of their own: 1 where there is one axis that is longer
// than 1, or none.
int64_t clip_units_of(const Shape& shape);

// Inputs: gradient, weight. Output: the gradient, which may be written over the input; the numbers
// of a unit (those at the same place of the last axis) are shortened together.
KernelPtr make_clip_units(const KernelRequest& request, const UnitClip& clip);

// Inputs: norms of earlier gradients, of which those from the oldest on are replaced by new ones;
// how many there were so far, int64; the norm of this gradient. Outputs: the norms with this one,
// which may be written over the input; the factor that shortens the gradient to the percentile of
// all norms that are known, at most 1.
KernelPtr make_clip_by_history(const KernelRequest& request, double percentile);

// As NumPy computes it by default, between two numbers in a line. Reorders `numbers`, of which
// there is at least one.
float percentile_of(float* numbers, int64_t count, double percentile);

}  // namespace plimsoll::kernels
