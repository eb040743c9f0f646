// How a layer of categories gives them out: "int", or as vectors of numbers.
#pragma once

#include <string>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// "one_hot": a vector for each index, in place of a last axis of one. "multi_hot", "count": one
// vector for the indices of a sample, which Keras takes to be those along axis 1. InvalidArgument
// where there is no such axis. Indices outside [0, depth) have no place in a vector.
Tensor encode_indices(const Tensor& indices, const std::string& output_mode, int64_t depth);

}  // namespace plimsoll
