#include "plimsoll/data/loader/bad_record_choices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace plimsoll {
namespace {

TEST(SkippingOptions, NameAShareOnlyWhereTheUsualOneIsTooSmall) {
  EXPECT_EQ(skipping_options(1, 100), "--on-bad-record skip");
  EXPECT_EQ(skipping_options(1, 99), "--on-bad-record skip --max-bad 0.02");
  EXPECT_EQ(skipping_options(3, 150), "--on-bad-record skip --max-bad 0.02");
  EXPECT_EQ(skipping_options(149, 150), "--on-bad-record skip --max-bad 1");
  EXPECT_EQ(skipping_options(150, 150), "");
}

TEST(SkippingOptions, AreAlwaysEnough) {
  for (int64_t records = 2; records < 400; ++records)
    for (int64_t bad = 1; bad < records; ++bad) {
      const std::string options = skipping_options(bad, records);
      const size_t at = options.rfind(' ');
      const double most = options.ends_with("skip") ? 0.01 : std::stod(options.substr(at));
      ASSERT_GE(std::floor(most * static_cast<double>(records)), bad) << records;
    }
}

}  // namespace
}  // namespace plimsoll
