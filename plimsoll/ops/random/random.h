// Random numbers: pure functions of (seed, stream, step, position of the sample in the whole batch,
// element), so replays, recompute, micro-batches and resume agree. Axis 0 is the sample.
#pragma once

#include <cstdint>
#include <string_view>

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/random/random_state.h"

namespace plimsoll {

Tensor random_uniform(const Shape& shape, double low, double high, const RandomState& state,
                      Place where = Place::here());
Tensor random_normal(const Shape& shape, double mean, double stddev, const RandomState& state,
                     Place where = Place::here());
// Zeroes each element with probability `rate` and scales the rest by 1 / (1 - rate). Keeps nothing
// for its gradient: the mask is drawn again.
Tensor dropout(const Operand& x, double rate, const RandomState& state);

}  // namespace plimsoll
