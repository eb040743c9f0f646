// The order of numpy.random.RandomState(seed).shuffle, which Keras shuffles file lists by.
#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll {

// What becomes of 0, 1, …, count - 1. Of a seed that NumPy refuses the lower 32 bits count.
// InvalidArgument for 2^32 records and more.
std::vector<uint32_t> numpy_shuffle(int64_t count, int64_t seed);

}  // namespace plimsoll
