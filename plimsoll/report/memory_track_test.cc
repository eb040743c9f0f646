#include "plimsoll/report/memory_track.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

const std::vector<LiveMoment> kMoments = {{"reshape", "(step)", 5},
                                          {"matmul", "dense", 10},
                                          {"mean", "loss", 30},
                                          {"matmul", "dense", 20}};

TEST(MemoryTrack, FollowsTheOperationsOfEachStep) {
  std::vector<TraceEvent> events;
  for (const double step : {0.0, 1.0}) {
    events.push_back({"wait for data", "", 0, step + 0.1, step + 0.2});
    events.push_back({"matmul", "net/dense", 0, step + 0.2, step + 0.3});
    events.push_back({"read records", "", 1, step + 0.2, step + 0.9});
    events.push_back({"mean", "net/loss", 0, step + 0.3, step + 0.4});
    events.push_back({"matmul", "net/dense", 0, step + 0.4, step + 0.5});
    events.push_back({"step", "", 0, step, step + 0.6});
  }
  EXPECT_THAT(memory_track(events, kMoments),
              ElementsAre(Pair(0.2, 10), Pair(0.3, 30), Pair(0.4, 20), Pair(1.2, 10), Pair(1.3, 30),
                          Pair(1.4, 20)));
}

TEST(MemoryTrack, ReadsAPlan) {
  const StepPicture picture{.names = {"a", "b (gradient of a)", "dense"},
                            .moments = {{.op = 0, .layer = 2, .live_bytes = 64},
                                        {.op = 1, .layer = 2, .live_bytes = 32}}};
  const std::vector<LiveMoment> moments = live_moments(picture);
  ASSERT_THAT(moments, SizeIs(2));
  EXPECT_EQ(moments[1].operation, "b");
  EXPECT_EQ(moments[1].layer, "dense");
  EXPECT_EQ(moments[1].bytes, 32);
}

}  // namespace
}  // namespace plimsoll
