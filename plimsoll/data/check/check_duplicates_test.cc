#include "plimsoll/data/check/check_duplicates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using ::testing::ElementsAre;

std::string name(int64_t record) {
  return "r" + std::to_string(record);
}
std::string other_name(int64_t record) {
  return "v" + std::to_string(record);
}

TEST(Duplicates, AreToldWithTheRecordThatCameFirst) {
  const std::vector<Fingerprint> records = {{7, 1}, {8, 1}, {7, 1}, {9, 1}, {7, 1}};
  std::vector<CheckWarning> warnings;
  warn_of_duplicates(records, true, name, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].reason, "duplicate");
  EXPECT_EQ(warnings[0].count, 2);
  EXPECT_THAT(warnings[0].examples, ElementsAre("r2 = r0", "r4 = r0"));
}

TEST(Duplicates, OfAnotherLabelConflictWhereLabelsAreClasses) {
  const std::vector<Fingerprint> records = {{7, 2}, {7, 1}, {5, 3}, {7, 1}};
  std::vector<CheckWarning> warnings;
  warn_of_duplicates(records, false, name, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].reason, "duplicate");
  EXPECT_THAT(warnings[0].examples, ElementsAre("r3 = r1"));
  warn_of_duplicates(records, true, name, warnings);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_EQ(warnings[2].reason, "conflicting_label");
  EXPECT_THAT(warnings[2].examples, ElementsAre("r1 = r0"));
}

TEST(Duplicates, RecordsThatCouldNotBeReadAreNone) {
  const std::vector<Fingerprint> records = {{0, 0}, {0, 0}, {3, 1}};
  std::vector<CheckWarning> warnings;
  warn_of_duplicates(records, true, name, warnings);
  warn_of_leaks(records, name, records, other_name, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].examples, ElementsAre("v2 = r2"));
}

TEST(Leaks, AreRecordsOfBothWhateverTheirLabels) {
  const std::vector<Fingerprint> train = {{5, 1}, {6, 1}, {7, 1}}, validation = {{8, 1}, {6, 2}};
  std::vector<CheckWarning> warnings;
  warn_of_leaks(train, name, validation, other_name, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].reason, "leak");
  EXPECT_EQ(warnings[0].count, 1);
  EXPECT_THAT(warnings[0].examples, ElementsAre("v1 = r1"));
}

}  // namespace
}  // namespace plimsoll
