// The boundaries that Keras's Discretization learns.
#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll {

// `bins` - 1 boundaries between which there are about as many of the numbers. Numbers are first
// reduced to a summary of about 1 / epsilon of them, as Keras does, so both find the same
// boundaries.
std::vector<double> quantiles(std::vector<float> numbers, int64_t bins, double epsilon);

}  // namespace plimsoll
