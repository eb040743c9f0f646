#include "plimsoll/train/memory/refusal.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

TEST(Refusal, NamesTheHeaviestLayersAndWhatWouldDo) {
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
  EXPECT_EQ(to_string(Refusal{plan, budget, 700 * kMiB, {.size = 8}, true}),
            "training at a batch of 64 takes 900.0 MiB at its peak, in conv, most of it for dense "
            "(420.0 MiB), conv (402.0 MiB), relu (100.0 MiB); it can be done in 700.0 MiB; the "
            "largest batch that fits in 300.0 MiB (--memory) is 8; images of half the side would "
            "save about 390.8 MiB; half the units of dense would save about 260.0 MiB");
}

}  // namespace
}  // namespace plimsoll
