#include "plimsoll/base/core_wait.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace plimsoll {

double core_wait_seconds() {
  std::array<char, 96> text = {};
  const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text.data(), text.size() - 1);
  close(file);
  double ran = 0, waited = 0;  // in nanoseconds
  if (size <= 0 || std::sscanf(text.data(), "%lf %lf", &ran, &waited) != 2) return 0;
  return waited * 1e-9;
}

}  // namespace plimsoll
