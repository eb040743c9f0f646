#include "tests/allocations/allocation_count.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

// The allocator of the whole process, oneDNN included, goes through these.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

struct Counts {
  std::atomic<int64_t> own = 0;  // allocations that oneDNN did not ask for
  std::atomic<int64_t> own_bytes = 0;
  std::atomic<int64_t> library = 0;  // allocations below a call of oneDNN
  std::atomic<int64_t> library_largest = 0;
};
Counts counts;
std::atomic<bool> counting = false;
thread_local bool inside = false;

bool below_onednn() {
  void* frames[24];
  const int depth = backtrace(frames, 24);
  for (int i = 2; i < depth; ++i) {
    Dl_info info;
    if (dladdr(frames[i], &info) != 0 && info.dli_fname != nullptr &&
        std::strstr(info.dli_fname, "libdnnl") != nullptr)
      return true;
  }
  return false;
}

void count(size_t size) {
  if (!counting || inside) return;
  inside = true;
  if (below_onednn()) {
    ++counts.library;
    if (static_cast<int64_t>(size) > counts.library_largest)
      counts.library_largest = static_cast<int64_t>(size);
  } else {
    ++counts.own;
    counts.own_bytes += static_cast<int64_t>(size);
    if (std::getenv("STEP_PROBE_TRACE") != nullptr) {
      void* frames[24];
      backtrace_symbols_fd(frames, backtrace(frames, 24), 2);
    }
  }
  inside = false;
}

}  // namespace

extern "C" {
void* malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}
void* calloc(size_t number, size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}
void* realloc(void* block, size_t size) {
  count(size);
  return __libc_realloc(block, size);
}
void* memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block == nullptr ? 12 : 0;
}
}

namespace plimsoll::testing {

void count_allocations(bool is_counted) {
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads its unwinder now
  counting = is_counted;
}

AllocationCount counted_allocations() {
  return {counts.own, counts.own_bytes, counts.library, counts.library_largest};
}

}  // namespace plimsoll::testing
