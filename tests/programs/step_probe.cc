// Trains an example model for some steps in a process of its own and prints what the tests look at:
// planned and measured memory, memory that grows, and every heap allocation of a step.
#include <dlfcn.h>
#include <execinfo.h>
#include <malloc.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "plimsoll/train/model.h"
#include "tests/support/example_models.h"

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

namespace plimsoll {
namespace {

// Counts from the end of the second step on, and looks at memory after a tenth of the steps.
class Probe final : public Callback {
 public:
  Probe(int64_t steps, bool wants_statistics)
      : steps_(steps), wants_statistics_(wants_statistics) {}
  bool wants_statistics() const override { return wants_statistics_; }
  void on_statistics(TrainingState&, const StepStatistics&) override { ++samples_; }
  void on_train_batch_end(TrainingState& state) override {
    state.logs();  // as one that watches every batch
    counting = false;
    ++done_;
    if (done_ == std::max<int64_t>(2, steps_ / 10)) early_ = process_memory().resident_bytes;
    counting = done_ >= 2 && done_ < steps_;
  }
  int64_t early() const { return early_; }
  int64_t samples() const { return samples_; }

 private:
  int64_t steps_, done_ = 0, early_ = 0, samples_ = 0;
  bool wants_statistics_;
};

int run(const std::string& name, int64_t batch, int64_t steps, bool wants_statistics) {
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads its unwinder now
  ExampleModel example = example_model(name);
  const auto probe = std::make_shared<Probe>(steps, wants_statistics);
  const Dataset data(example_records(example.fields, batch, batch * steps));
  const History history =
      example.model.fit(data, {.batch_size = batch, .verbose = 0, .callbacks = {probe}});
  const ProcessMemory memory = process_memory();
  std::printf(
      "model=%s batch=%lld planned=%lld measured=%lld early=%lld late=%lld "
      "own_allocations=%lld own_bytes=%lld library_allocations=%lld library_largest=%lld "
      "arena=%lld bound=%lld samples=%lld\n",
      name.c_str(), static_cast<long long>(batch),
      static_cast<long long>(history.memory.peak_bytes),
      static_cast<long long>(memory.peak_resident_bytes), static_cast<long long>(probe->early()),
      static_cast<long long>(memory.resident_bytes), static_cast<long long>(counts.own),
      static_cast<long long>(counts.own_bytes), static_cast<long long>(counts.library),
      static_cast<long long>(counts.library_largest),
      static_cast<long long>(history.memory.arena_bytes),
      static_cast<long long>(history.memory.lower_bound_bytes),
      static_cast<long long>(probe->samples()));
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  const bool wants_statistics = argc == 5 && std::strcmp(argv[4], "statistics") == 0;
  if (argc != 4 && !wants_statistics) {
    std::fprintf(stderr, "usage: step_probe MODEL BATCH STEPS [statistics]\n");
    return 2;
  }
  return plimsoll::run(argv[1], std::atoll(argv[2]), std::atoll(argv[3]), wants_statistics);
}
