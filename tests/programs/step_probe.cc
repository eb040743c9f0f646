// Trains an example model for some steps in a process of its own and prints what the tests look at:
// planned and measured memory, memory that grows, and every heap allocation of a step.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "plimsoll/train/model.h"
#include "tests/allocations/allocation_count.h"
#include "tests/support/example_models.h"

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
    testing::count_allocations(false);
    ++done_;
    if (done_ == std::max<int64_t>(2, steps_ / 10)) early_ = process_memory().resident_bytes;
    testing::count_allocations(done_ >= 2 && done_ < steps_);
  }
  int64_t early() const { return early_; }
  int64_t samples() const { return samples_; }

 private:
  int64_t steps_, done_ = 0, early_ = 0, samples_ = 0;
  bool wants_statistics_;
};

int run(const std::string& name, int64_t batch, int64_t steps, bool wants_statistics) {
  ExampleModel example = example_model(name);
  const auto probe = std::make_shared<Probe>(steps, wants_statistics);
  const Dataset data(example_records(example.fields, batch, batch * steps));
  const History history =
      example.model.fit(data, {.batch_size = batch, .verbose = 0, .callbacks = {probe}});
  const ProcessMemory memory = process_memory();
  const testing::AllocationCount counts = testing::counted_allocations();
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
