#include "plimsoll/train/memory/refusal.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

TEST(Refusal, NamesTheHeaviestLayersAndWhatIsEnough) {
  MemoryPlan plan;
  plan.batch_size = 64;
  plan.peak_bytes = 900 * kMiB;
  plan.peak_layer = "conv";
  plan.layers = {
      {.layer = "conv",
       .weight_bytes = kMiB,
       .gradient_bytes = kMiB,
       .live_at_peak_bytes = 401 * kMiB},
      {.layer = "relu", .live_at_peak_bytes = 100 * kMiB},
      {.layer = "small", .live_at_peak_bytes = kMiB},
      {.layer = "dense",
       .weight_bytes = 100 * kMiB,
       .gradient_bytes = 100 * kMiB,
       .optimizer_bytes = 200 * kMiB,
       .live_at_peak_bytes = 120 * kMiB},
  };
  const MemoryBudget budget{.bytes = 300 * kMiB, .is_given = true};
  const auto says = [&](const Advice& advice) { return to_string(Refusal{plan, budget, advice}); };
  const std::string takes =
      "training at a batch of 64 takes 900.0 MiB at its peak, in conv, most of it for dense "
      "(420.0 MiB), conv (402.0 MiB), relu (100.0 MiB); ";
  EXPECT_EQ(says({.enough_bytes = 700 * kMiB, .batch = 8}),
            takes + "it can be done in 700 MiB; a batch of 8 fits in 300.0 MiB (--memory)");
  EXPECT_EQ(
      says({.enough_bytes = 1500 * kMiB + 1, .batch = 0}),
      takes + "it can be done in 1501 MiB; not even a batch of 1 fits in 300.0 MiB (--memory)");
  EXPECT_EQ(says({.enough_bytes = 700 * kMiB}), takes + "it can be done in 700 MiB");
  EXPECT_EQ(says({.enough_bytes = 28 * kMiB + 1}), takes + "it can be done in 28.1 MiB");
  EXPECT_EQ(says({.enough_bytes = 99 * kMiB + 1}), takes + "it can be done in 100 MiB");
}

}  // namespace
}  // namespace plimsoll
