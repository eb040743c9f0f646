// Which records of a batch must go so that the rest is finite.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace plimsoll {

// True if a batch of these records is finite. There is at least one.
using IsFinite = std::function<bool(std::span<const int64_t>)>;

// The records of a batch of `count`, which is not finite as a whole, without which it is: as few as
// can be found, in order. If more than half would have to go, or if it takes more than `most_tests`
// to find out, none.
//
// One record is found by halving: the batch without its first p records is finite, and without its
// first p - 1 it is not, so record p - 1 is one of them.
std::vector<int64_t> records_to_leave_out(int64_t count, const IsFinite& is_finite,
                                          int64_t most_tests = 512);

}  // namespace plimsoll
