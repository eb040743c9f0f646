#include "plimsoll/base/trace.h"

#include <gtest/gtest.h>

#include <thread>

namespace plimsoll {
namespace {

TEST(Trace, HasTheSpansOfAllThreads) {
  TraceRecording recording(10);
  {
    const TraceSpan outer("outer");
    const TraceSpan inner("inner", "of it");
  }
  std::thread([] { const TraceSpan span("elsewhere"); }).join();
  const auto events = recording.events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].name, "inner");
  EXPECT_EQ(events[0].detail, "of it");
  EXPECT_EQ(events[1].name, "outer");
  EXPECT_LE(events[1].begin, events[0].begin);
  EXPECT_GE(events[1].end, events[0].end);
  EXPECT_EQ(events[1].thread, 0);
  EXPECT_EQ(events[2].thread, 1);
}

TEST(Trace, HasNothingBeforeAndAfter) {
  { const TraceSpan span("before"); }
  TraceRecording recording(10);
  { const TraceSpan span("within"); }
  recording.stop();
  { const TraceSpan span("after"); }
  ASSERT_EQ(recording.events().size(), 1u);
  EXPECT_EQ(recording.events()[0].name, "within");
}

TEST(Trace, CountsWhatItHasNoRoomFor) {
  TraceRecording recording(2);
  for (int i = 0; i < 5; ++i) const TraceSpan span("span");
  EXPECT_EQ(recording.events().size(), 2u);
  EXPECT_EQ(recording.dropped(), 3);
}

TEST(Trace, IsRecordedOnce) {
  TraceRecording first(10);
  {
    TraceRecording second(10);
    { const TraceSpan span("span"); }
    EXPECT_TRUE(second.events().empty());
  }
  EXPECT_EQ(first.events().size(), 1u);
}

}  // namespace
}  // namespace plimsoll
