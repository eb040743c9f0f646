#include "plimsoll/base/moving_line.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "plimsoll/base/report_finding.h"

namespace plimsoll {
namespace {

class NotedLine final : public MovingLine {
 public:
  void wipe() override { calls += "wipe "; }
  void draw_again() override { calls += "draw "; }
  std::string calls;
};

TEST(MovingLine, IsAwayWhileSomethingIsWrittenAbove) {
  NotedLine line;
  {
    const AboveMovingLine above;
    line.calls += "write ";
  }
  EXPECT_EQ(line.calls, "wipe write draw ");
}

TEST(MovingLine, IsAwayWhileAFindingIsReported) {
  NotedLine line;
  report({.what = "a finding of a test"});
  EXPECT_EQ(line.calls, "wipe draw ");
}

TEST(MovingLine, IsLeftAloneAfterItsEnd) {
  { const NotedLine line; }
  const AboveMovingLine above;
}

// A terminal that is stopped would keep the lock for ever.
TEST(MovingLine, IsWrittenOverRatherThanWaitedForWithoutEnd) {
  NotedLine line;
  const MovingLineLock drawing;
  ASSERT_TRUE(drawing.is_held());
  std::thread([] { const AboveMovingLine above; }).join();
  EXPECT_EQ(line.calls, "");
}

}  // namespace
}  // namespace plimsoll
