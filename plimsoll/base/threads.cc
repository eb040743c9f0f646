#include "plimsoll/base/threads.h"

#include <omp.h>

#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

int& count() {
  static int count = omp_get_num_procs();
  return count;
}

}  // namespace

int thread_count() {
  return count();
}

void set_thread_count(int wanted) {
  if (wanted < 1 || wanted > 1024)
    throw InvalidArgument("threads: expected 1 to 1024, found " + std::to_string(wanted));
  count() = wanted;
  omp_set_num_threads(wanted);
}

}  // namespace plimsoll
