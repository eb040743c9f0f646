#include "plimsoll/train/steps/records_to_leave_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool has(std::span<const int64_t> rows, int64_t row) {
  return std::ranges::find(rows, row) != rows.end();
}

TEST(RecordsToLeaveOut, AreThoseThatAreBadAlone) {
  const std::vector<std::vector<int64_t>> all = {{0}, {7}, {31}, {30, 31}, {3, 4, 17}, {0, 31}};
  for (const std::vector<int64_t>& bad : all) {
    const auto is_finite = [&](std::span<const int64_t> rows) {
      return std::ranges::none_of(bad, [&](int64_t row) { return has(rows, row); });
    };
    EXPECT_EQ(records_to_leave_out(32, is_finite), bad);
  }
}

// As where records are divided by their deviation: one alone has none.
TEST(RecordsToLeaveOut, AreFoundIfABatchOfOneIsBadToo) {
  for (const int64_t bad : {0, 5, 14, 15}) {
    const auto is_finite = [&](std::span<const int64_t> rows) {
      return rows.size() > 1 && !has(rows, bad);
    };
    EXPECT_THAT(records_to_leave_out(16, is_finite), ElementsAre(bad));
  }
}

TEST(RecordsToLeaveOut, AreNoneIfMostAreBad) {
  EXPECT_THAT(records_to_leave_out(16, [](std::span<const int64_t>) { return false; }), IsEmpty());
  const auto one_is_finite = [](std::span<const int64_t> rows) {
    return rows.size() == 1 && rows[0] == 3;
  };
  EXPECT_THAT(records_to_leave_out(16, one_is_finite), IsEmpty());
}

TEST(RecordsToLeaveOut, AreNoneIfThatTakesTooManyTests) {
  const auto is_finite = [](std::span<const int64_t> rows) { return !has(rows, 3); };
  EXPECT_THAT(records_to_leave_out(16, is_finite, 2), IsEmpty());
}

}  // namespace
}  // namespace plimsoll
