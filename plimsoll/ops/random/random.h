// Random numbers: pure functions of (seed, stream, step, position of the sample in the whole batch,
// element), so replays, recompute, micro-batches and resume agree. Axis 0 is the sample.
#pragma once

#include <cstdint>
#include <string_view>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

struct RandomState {
  Tensor seed;               // int64 scalar
  Tensor step;               // int64 scalar: the number of the training step
  uint64_t stream = 0;       // who draws: stream_id(layer path, call number)
  Tensor first_sample = {};  // int64 scalar: where row 0 stands in the whole batch; undefined: 0
};

Tensor random_uniform(const Shape& shape, double low, double high, const RandomState& state,
                      std::source_location where = std::source_location::current());
Tensor random_normal(const Shape& shape, double mean, double stddev, const RandomState& state,
                     std::source_location where = std::source_location::current());
// Zeroes each element with probability `rate` and scales the rest by 1 / (1 - rate). Keeps nothing
// for its gradient: the mask is drawn again.
Tensor dropout(const Operand& x, double rate, const RandomState& state);

}  // namespace plimsoll
