// Finds operations that mix the samples of a batch. Where there are none, a batch can be computed
// in parts whose results add up to the whole batch's.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

struct SampleMixing {
  std::string layer;  // its path; empty outside any
  std::string op;
};

// A batch size, a prime, that is no other dimension of a graph recorded with it, so that shapes
// show which axis counts the samples.
inline constexpr int64_t kProbeBatch = 1009;

enum class BatchStatistics {
  mix,       // normalisation over the batch mixes samples
  per_part,  // and that is allowed
};

// The first operation that keeps one of `sums` from being a sum over samples, that is a sum of one
// value per sample that depends on that sample alone. The graph must be recorded for batches of
// kProbeBatch.
std::optional<SampleMixing> find_mixing(std::span<const Tensor> sums, BatchStatistics statistics);

}  // namespace plimsoll
