#include "plimsoll/base/duration.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Duration, IsANumberAndAUnitAndThatAgain) {
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("30m"), 30 * 60);
  EXPECT_EQ(parse_duration("11h"), 11 * 3600);
  EXPECT_EQ(parse_duration("2d"), 2 * 86400);
  EXPECT_EQ(parse_duration("1h30m"), 5400);
  EXPECT_EQ(parse_duration("0.25s"), 0.25);
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_EQ(parse_duration("1.5"), 1.5) << "seconds, without a unit";
}

TEST(Duration, IsNothingElse) {
  for (const char* text : {"", "h", "11 h", "11x", "-1s", "1:30", "nan", "1e3", "11h "})
    EXPECT_FALSE(parse_duration(text)) << "'" << text << "'";
}

}  // namespace
}  // namespace plimsoll
