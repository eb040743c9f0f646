// Clipping of gradients whose limit follows from the weights or from earlier gradients.
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// Each unit of the gradient is shortened where its norm, times `scale`, is more than `ratio` of the
// norm of the unit's weights, which counts as 0.001 at least. A unit is what has the same place on
// the last axis (the column of a kernel); where only one axis is longer than 1, all is one unit.
// After Brock, De, Smith and Simonyan: High-Performance Large-Scale Image Recognition Without
// Normalization, 2021.
Tensor clip_units(const Tensor& gradient, const Tensor& weight, double ratio, double scale);

struct HistoryClip {
  Tensor history;  // the norms so far, with this one
  Tensor factor;   // float32 scalar: what shortens the gradient, at most 1
};
// Shortens a gradient of this norm to the percentile of the norms in `history` and its own. The
// history is a ring: `count` (int64) norms were written to it before. After Seetharaman, Wichern,
// Pardo and Le Roux: AutoClip, 2020.
HistoryClip clip_by_history(const Tensor& history, const Tensor& count, const Tensor& norm,
                            double percentile);

}  // namespace plimsoll
