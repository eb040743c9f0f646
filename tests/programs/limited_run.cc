// limited_run MODEL BATCH MEMORY [--no-micro-batches]: five steps of an example model, a validation
// and a save, in the memory that is given; prints the planned and the measured peak.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "plimsoll/base/process_memory.h"
#include "tests/support/example_models.h"

namespace plimsoll {
namespace {

int run(const std::string& name, int64_t batch, const std::string& memory, bool in_parts) {
  constexpr int64_t kSteps = 5, kDistinct = 8;
  const std::string folder = std::filesystem::temp_directory_path() / "plimsoll_limited_run";
  std::filesystem::create_directories(folder);
  ExampleModel example = example_model(name);
  const Dataset data(example_records(example.fields, kDistinct, batch * kSteps));
  const Dataset validation(example_records(example.fields, kDistinct, batch));
  const History history =
      example.model.fit(data, {.batch_size = batch,
                               .validation_data = validation,
                               .memory = memory,
                               .saving = {.micro_batches = in_parts},
                               .verbose = 0,
                               .callbacks = {ModelCheckpoint(folder + "/model.keras")}});
  std::filesystem::remove_all(folder);
  std::printf(
      "model=%s batch=%lld how='%s' planned=%lld measured=%lld arena=%lld plain_arena=%lld\n",
      name.c_str(), static_cast<long long>(batch), history.memory.saving_text().c_str(),
      static_cast<long long>(history.memory.peak_bytes),
      static_cast<long long>(process_memory().peak_resident_bytes),
      static_cast<long long>(history.memory.arena_bytes),
      static_cast<long long>(history.memory.plain_arena_bytes));
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  const bool in_parts = argc == 4;
  if (!in_parts && (argc != 5 || std::string(argv[4]) != "--no-micro-batches")) {
    std::fprintf(stderr, "usage: limited_run MODEL BATCH MEMORY [--no-micro-batches]\n");
    return 2;
  }
  try {
    return plimsoll::run(argv[1], std::atoll(argv[2]), argv[3], in_parts);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limited_run: %s\n", error.what());
    return 1;
  }
}
