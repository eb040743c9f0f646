// The settings of an op, for code that writes models to files; nothing for any other op.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "plimsoll/graph/op.h"
#include "plimsoll/ops/linear/linear.h"

namespace plimsoll {

// The settings of sum, mean, max, min and prod.
struct ReductionSettings {
  std::vector<int> axes;  // from the start; empty: all
  bool keepdims;
};
std::optional<ReductionSettings> reduction_settings(const Op& op);

// The axis of softmax and log_softmax, counted from the start.
std::optional<int> softmax_axis(const Op& op);
std::optional<int> concatenate_axis(const Op& op);
std::optional<std::vector<int>> transpose_permutation(const Op& op);
// The target shape of a reshape; it may have a -1.
std::optional<Shape> reshape_target(const Op& op);
std::optional<std::pair<float, float>> clip_bounds(const Op& op);
// A size of -1 is up to the end.
struct SliceBox {
  std::vector<int64_t> begin, size;
};
std::optional<SliceBox> slice_box(const Op& op);
std::optional<MatmulOptions> matmul_options(const Op& op);

}  // namespace plimsoll
