#include "plimsoll/cli/heap_guard.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "plimsoll/base/process_memory.h"
#include "plimsoll/cli/command_list.h"

namespace plimsoll::cli {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

struct Watch {
  int64_t limit_bytes = 0;      // of the process; 0: nothing is watched
  int64_t unwatched_bytes = 0;  // that may be allocated before the process is looked at again
  bool is_exhausted = false;
};

thread_local Watch watch;

// Looks at the process again when a quarter of what is left may have been taken.
void look_again(int64_t wanted_bytes) {
  constexpr int64_t kFinest = int64_t{64} << 10;
  const int64_t left = watch.limit_bytes - process_memory().resident_bytes - wanted_bytes;
  if (left < 0) {
    watch.is_exhausted = true;
    throw HeapGuard::Exhausted(watch.limit_bytes);
  }
  watch.unwatched_bytes = std::clamp(left / 4, kFinest, 4 * kMiB);
}

// Where the allocation was made by code that may not throw, this is the way out.
[[noreturn]] void end_exhausted() {
  if (!watch.is_exhausted) std::abort();
  std::fputs("plimsoll: reading and planning alone take more memory than this process may take\n",
             stderr);
  std::_Exit(kDoesNotFit);
}

}  // namespace

// The system counts some of its own memory for the process too.
HeapGuard::HeapGuard() {
  const int64_t available = memory_available();
  const int64_t margin = std::min(kMiB, available / 4);
  watch.limit_bytes = process_memory().resident_bytes + available - margin;
  watch.unwatched_bytes = 0;
  watch.is_exhausted = false;
  std::set_terminate(end_exhausted);
}

HeapGuard::~HeapGuard() {
  watch.limit_bytes = 0;
}

}  // namespace plimsoll::cli

// All of the program's objects come this way; other threads and C libraries are not watched. (Where
// one of these was inlined without its partner, the compiler would see new and free() mixed.)
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  using plimsoll::cli::watch;
  if (watch.limit_bytes > 0) {
    watch.unwatched_bytes -= static_cast<int64_t>(bytes);
    if (watch.unwatched_bytes < 0) plimsoll::cli::look_again(static_cast<int64_t>(bytes));
  }
  void* block = std::malloc(bytes > 0 ? bytes : 1);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

[[gnu::noinline]] void operator delete(void* block) noexcept {
  std::free(block);
}

[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
