#include "plimsoll/data/check/check_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class T>
void add(LabelCounts& counts, const std::vector<T>& label) {
  Spec spec{DTypeOf<T>::value, {}};
  if (label.size() > 1) spec.shape.push_back(std::ssize(label));
  const Specs specs = {spec};
  const std::byte* const places[] = {reinterpret_cast<const std::byte*>(label.data())};
  counts.add({0, specs, places}, 0);
}

std::vector<int64_t> records_of(const std::vector<ClassCount>& counts) {
  std::vector<int64_t> records;
  for (const ClassCount& one : counts) records.push_back(one.records);
  return records;
}

TEST(LabelCountsTest, CountsNumbersAndVectors) {
  LabelCounts counts;
  add<int32_t>(counts, {2});
  add<float>(counts, {2.0f});
  add<float>(counts, {0, 1, 0});
  EXPECT_TRUE(counts.are_classes({.is_classes = true}));
  EXPECT_THAT(records_of(counts.counts({}, {})), ElementsAre(1, 2));
  EXPECT_THAT(records_of(counts.counts({.limit = 4}, {})), ElementsAre(0, 1, 2, 0));
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(counts.counts({}, names)[2].name, "c");
}

TEST(LabelCountsTest, MergesWhatOthersCounted) {
  LabelCounts first, second;
  add<int32_t>(first, {1});
  add<int32_t>(second, {1});
  add<int32_t>(second, {5});
  first.merge(second);
  EXPECT_THAT(records_of(first.counts({}, {})), ElementsAre(2, 1));
}

TEST(LabelCountsTest, PricesAreNoClasses) {
  LabelCounts counts;
  for (int i = 0; i < 50; ++i) add<float>(counts, {static_cast<float>(i) + 0.5f});
  EXPECT_FALSE(counts.are_classes({.is_classes = true}));
  LabelCounts whole;
  for (int i = 0; i < 50; ++i) add<int32_t>(whole, {i});
  EXPECT_FALSE(whole.are_classes({})) << "each comes once";
  EXPECT_TRUE(whole.are_classes({.is_classes = true}));
  LabelCounts probabilities;
  add<float>(probabilities, {0.5f, 0.5f});
  EXPECT_FALSE(probabilities.are_classes({.is_classes = true}));
}

TEST(LabelCountsTest, FewNumbersThatComeOftenAreClasses) {
  LabelCounts counts;
  for (int i = 0; i < 50; ++i) add<int32_t>(counts, {i % 5});
  EXPECT_TRUE(counts.are_classes({}));
  EXPECT_FALSE(counts.are_classes({.is_classes = false}));
}

TEST(ClassWarnings, ToldWhereOneClassHasMoreThanTenTimesAnother) {
  std::vector<CheckWarning> warnings;
  warn_of_classes(std::vector<ClassCount>{{"cats", 100}, {"dogs", 10}}, warnings);
  EXPECT_THAT(warnings, IsEmpty());
  warn_of_classes(std::vector<ClassCount>{{"cats", 101}, {"dogs", 10}}, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].reason, "imbalance");
  EXPECT_THAT(warnings[0].what, HasSubstr("'cats' has 101 records, class 'dogs' has 10"));
}

TEST(ClassWarnings, ToldWhereAClassHasNoRecord) {
  std::vector<CheckWarning> warnings;
  warn_of_classes(std::vector<ClassCount>{{"cats", 9}, {"dogs", 0}, {"eels", 9}}, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].reason, "empty_class");
  EXPECT_THAT(warnings[0].examples, ElementsAre("dogs"));
}

}  // namespace
}  // namespace plimsoll
