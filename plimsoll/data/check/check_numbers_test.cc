#include "plimsoll/data/check/check_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Records of one field of floats.
class Numbers : public ::testing::Test {
 protected:
  std::optional<Problem> add(FieldStatistics& to, const std::vector<float>& values) {
    const std::byte* const places[] = {reinterpret_cast<const std::byte*>(values.data())};
    return to.add({record_++, specs_, places});
  }
  FieldStatistics statistics() { return FieldStatistics(specs_, fields_); }

  int64_t record_ = 0;
  Specs specs_ = {{DType::float32, {3}}};
  std::vector<FieldToCheck> fields_ = {{.name = "x", .columns = {"a", "b", "c"}}};
};

TEST_F(Numbers, NamesTheColumnThatIsNotFinite) {
  FieldStatistics all = statistics();
  EXPECT_FALSE(add(all, {1, 2, 3}));
  const auto nan = add(all, {1, kNan, 3}), infinite = add(all, {1, 2, -kInfinity});
  ASSERT_TRUE(nan && infinite);
  EXPECT_EQ(nan->flaw, Flaw::not_finite);
  EXPECT_EQ(nan->detail, "column 'b' is NaN");
  EXPECT_EQ(infinite->detail, "column 'c' is -infinite");
}

TEST_F(Numbers, NamesThePlaceInATensor) {
  specs_ = {{DType::float32, {2, 3}}};
  FieldStatistics all = statistics();
  EXPECT_EQ(add(all, {0, 0, 0, 0, 0, kNan})->detail, "'x' at (1, 2) is NaN");
  specs_ = {{DType::float32, {}}};
  FieldStatistics scalars = statistics();
  EXPECT_EQ(add(scalars, {kNan})->detail, "'x' is NaN");
}

TEST_F(Numbers, FindsNoNumbersInText) {
  specs_ = {{DType::string, {3}}};
  FieldStatistics all = statistics();
  EXPECT_FALSE(add(all, {kNan, 1, kInfinity}));
  EXPECT_EQ(all.summaries()[0].values, 0);
  EXPECT_TRUE(all.summaries()[0].columns.empty());
}

TEST_F(Numbers, SummarisesWhatIsFinite) {
  FieldStatistics first = statistics(), second = statistics();
  add(first, {1, -2, 5});
  add(second, {3, kNan, 5});
  add(second, {2, 8, 5});
  first.merge(second);
  const FieldSummary field = first.summaries()[0];
  EXPECT_EQ(field.values, 8);
  EXPECT_EQ(field.least, -2);
  EXPECT_EQ(field.largest, 8);
  EXPECT_DOUBLE_EQ(field.mean, 27.0 / 8);
  EXPECT_DOUBLE_EQ(field.deviation, std::sqrt(157.0 / 8 - (27.0 / 8) * (27.0 / 8)));
  ASSERT_EQ(field.columns.size(), 3u);
  EXPECT_EQ(field.columns[1].name, "b");
  EXPECT_EQ(field.columns[1].values, 2);
  EXPECT_EQ(field.columns[1].largest, 8);
}

TEST_F(Numbers, RefusesNumbersThatAreNoClass) {
  fields_[0].limit = 4;
  fields_[0].role = FieldRole::target;
  FieldStatistics all = statistics();
  EXPECT_FALSE(add(all, {0, 3, 1}));
  EXPECT_EQ(add(all, {0, 4, 1})->flaw, Flaw::label);
  EXPECT_EQ(add(all, {0, 1, -1})->detail, "column 'c' is -1, expected a whole number from 0 to 3");
  EXPECT_TRUE(add(all, {0, 0.5, 1}));
  fields_[0].ignored = -1;
  EXPECT_FALSE(add(all, {0, 1, -1}));
  fields_[0].role = FieldRole::input;
  EXPECT_EQ(add(all, {0, 4, 1})->flaw, Flaw::out_of_range);
}

TEST_F(Numbers, WarnsOfConstantAndMissingColumns) {
  FieldStatistics all = statistics();
  add(all, {1, kNan, 3});
  add(all, {2, kNan, 3});
  std::vector<CheckWarning> warnings;
  warn_of_columns(all.summaries(), warnings);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].reason, "missing_column");
  EXPECT_THAT(warnings[0].examples, ElementsAre("x.b"));
  EXPECT_EQ(warnings[1].reason, "constant_column");
  EXPECT_THAT(warnings[1].examples, ElementsAre("x.c"));
}

TEST_F(Numbers, OneRecordHasNoConstantColumn) {
  FieldStatistics all = statistics();
  add(all, {1, 2, 3});
  std::vector<CheckWarning> warnings;
  warn_of_columns(all.summaries(), warnings);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace plimsoll
