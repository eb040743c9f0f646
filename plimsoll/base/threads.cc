#include "plimsoll/base/threads.h"

#include <fmt/format.h>

#include <omp.h>

#include <atomic>
#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

std::atomic<int>& count() {
  static std::atomic<int> count = omp_get_num_procs();
  return count;
}

}  // namespace

int thread_count() {
  return count().load(std::memory_order_relaxed);
}

void set_thread_count(int wanted) {
  if (wanted < 1 || wanted > 1024)
    throw InvalidArgument(fmt::format("threads: expected 1 to 1024, found {}", wanted));
  count() = wanted;
  use_thread_count();
}

void use_thread_count() {
  omp_set_num_threads(thread_count());
}

}  // namespace plimsoll
