#include "plimsoll/base/core_wait.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(CoreWait, NeverFalls) {
  double before = core_wait_seconds();
  EXPECT_GE(before, 0);
  for (int i = 0; i < 1000; ++i) {
    const double now = core_wait_seconds();
    ASSERT_GE(now, before);
    before = now;
  }
}

}  // namespace
}  // namespace plimsoll
