#include "plimsoll/base/threads.h"

#include <fmt/format.h>

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// OpenMP makes smaller teams than it is asked for beyond OMP_THREAD_LIMIT. Kernels divide their
// work by the size that was asked for, and those of oneDNN wait for threads that never come.
int most_threads() {
  static const int most = std::min(1024, omp_get_thread_limit());
  return most;
}

std::atomic<int>& count() {
  static std::atomic<int> count = std::min(omp_get_num_procs(), most_threads());
  return count;
}

}  // namespace

int thread_count() {
  return count().load(std::memory_order_relaxed);
}

void set_thread_count(int wanted) {
  if (wanted < 1 || wanted > most_threads())
    throw InvalidArgument(fmt::format("threads: expected 1 to {}{}, found {}", most_threads(),
                                      most_threads() < 1024 ? " (OMP_THREAD_LIMIT)" : "", wanted));
  count() = wanted;
  use_thread_count();
}

void use_thread_count() {
  omp_set_num_threads(thread_count());
}

}  // namespace plimsoll
