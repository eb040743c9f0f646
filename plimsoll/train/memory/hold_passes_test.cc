#include "plimsoll/train/memory/hold_passes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/engine/memory/arena.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/plimsoll.h"
#include "tests/support/sanitizer.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

constexpr int64_t kRecords = 4000, kWidth = 2048;

// 32 MiB for the activations of a whole batch.
Sequential wide_model() {
  Sequential model({InputLayer({.shape = {8}}), Dense({.units = kWidth, .activation = "relu"}),
                    BatchNormalization(), Dense({.units = 2})});
  model.compile({.loss = "mse", .metrics = {"mae"}});
  return model;
}

Tensor rows(int64_t width) {
  std::vector<float> values(static_cast<size_t>(kRecords * width));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(static_cast<float>(i * i % 1013) * 0.37f);
  return constant(values, {kRecords, width});
}

// So much more than the process holds. Under a sanitizer that is not known: what was freed stays
// with the process for a while (up to 256 MiB of it in AddressSanitizer's quarantine, and what the
// allocator keeps of each size), goes back at some later moment, and what is allocated takes more
// than its bytes. The planner counts what the process holds while it plans, so there the whole
// batch has room, with more than all tests before can have left.
std::string more_by(int64_t mebibytes) {
  constexpr int64_t kOfSanitizer = 1024;
  if (is_sanitized()) mebibytes += kOfSanitizer;
  return fmt::format("{}KiB", process_memory().resident_bytes / 1024 + mebibytes * 1024);
}

// Counts the batches of predict.
class BatchCount final : public Callback {
 public:
  void on_predict_batch_end(TrainingState& state) override {
    ++batches;
    rows += state.outputs[0].shape()[0];
  }
  int64_t batches = 0, rows = 0;
};

TEST(HoldPasses, PredictsInSmallerBatchesWhereAWholeOneDoesNotFit) {
  Sequential model = wide_model();
  const Tensor x = rows(8);
  const auto count = std::make_shared<BatchCount>();
  const Tensor held =
      model.predict(x, {.batch_size = kRecords, .memory = more_by(12), .callbacks = {count}});
  if (!is_sanitized()) {
    EXPECT_GT(count->batches, 1);
  }
  EXPECT_EQ(count->rows, kRecords);
  const std::vector<float> in_parts = held.to_vector();
  const std::vector<float> whole = model.predict(x, {.batch_size = kRecords}).to_vector();
  ASSERT_EQ(in_parts.size(), whole.size());
  for (size_t i = 0; i < whole.size(); ++i) ASSERT_NEAR(in_parts[i], whole[i], 1e-5);
}

TEST(HoldPasses, EvaluatesABatchInPartsWithTheSameResult) {
  clear_step_cache();  // and with it the arena of other tests, which would be room enough
  Sequential model = wide_model();
  const Tensor x = rows(8), y = rows(2);
  const Logs held = model.evaluate(x, y, {.batch_size = kRecords, .memory = more_by(12)});
  const int64_t arena = Arena::shared()->bytes();
  if (!is_sanitized()) {
    EXPECT_LT(arena, kRecords * kWidth * 4);
  }
  // A model of its own: the first one goes on with the steps that it has.
  Sequential other = wide_model();
  other.set_weights(model.get_weights());
  const Logs whole = other.evaluate(x, y, {.batch_size = kRecords});
  if (!is_sanitized()) {
    EXPECT_GT(Arena::shared()->bytes(), arena);
  }
  for (const auto& [name, value] : whole) EXPECT_NEAR(held.at(name), value, 1e-5) << name;
}

TEST(HoldPasses, RefusesWhatDoesNotFitBeforeTheFirstBatch) {
  Sequential model = wide_model();
  EXPECT_THAT([&] { model.predict(rows(8), {.memory = "1MiB"}); },
              ThrowsMessage<DoesNotFit>(AllOf(StartsWith("predict: at a batch of 32 it takes "),
                                              HasSubstr("; it can be done in "),
                                              HasSubstr("; the memory is 1.0 MiB (--memory)"))));
  EXPECT_THAT([&] { model.evaluate(rows(8), rows(2), {.memory = "1MiB"}); },
              ThrowsMessage<DoesNotFit>(StartsWith("evaluate: at a batch of 32 it takes ")));
}

TEST(HoldPasses, SaysWhereMoreMemoryIsAskedForThanThereIs) {
  std::string said;
  const FindingHandler before =
      set_finding_handler([&](const Finding& finding) { said += to_string(finding); });
  ReadingOptions reading;
  const MemoryBudget budget = budget_of_run("1000TiB", reading);
  budget_of_run("1MiB", reading);
  set_finding_handler(before);
  EXPECT_LT(budget.bytes, int64_t{1000} << 40);
  EXPECT_THAT(said,
              AllOf(StartsWith("warning: --memory: asks for 1000.0 TiB, but this machine gives "),
                    HasSubstr("; the run keeps to that")));
}

}  // namespace
}  // namespace plimsoll
