// The compute threads: one OpenMP team, shared with oneDNN, whose size is set in one place.
#pragma once

#include <cstdint>

namespace plimsoll {

// How many threads compute. The default is the number of cores this process may use, or
// OMP_THREAD_LIMIT where that is less.
int thread_count();

// Results are bit-identical for the same count; a plan compiled for one count is not reused for
// another. Throws InvalidArgument unless 1 <= count <= 1024 and OMP_THREAD_LIMIT allows it.
void set_thread_count(int count);

// OpenMP keeps the size of the team per thread that computes. A thread calls this before it does;
// the thread that calls set_thread_count need not.
void use_thread_count();

// Splits [0, size) into one contiguous range per thread, each a multiple of `grain` (but the last),
// and calls body(begin, end) on the team. The split depends on (size, grain, thread_count()) alone.
// A range that would be smaller than `grain` runs on the calling thread. Body must not throw.
template <class Body>
void parallel_for(int64_t size, int64_t grain, Body&& body);

}  // namespace plimsoll

#include "plimsoll/base/threads_inl.h"
