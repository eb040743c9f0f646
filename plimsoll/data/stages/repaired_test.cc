#include "plimsoll/data/stages/repaired.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/finite_records.h"

namespace plimsoll {
namespace {

SourcePtr table(const std::vector<float>& numbers, int64_t columns) {
  const auto bytes = static_cast<int64_t>(numbers.size() * sizeof(float));
  HostTensor x{{DType::float32, {std::ssize(numbers) / columns, columns}},
               std::make_shared<Storage>(bytes)};
  std::memcpy(x.storage->data(), numbers.data(), static_cast<size_t>(bytes));
  return from_tensor_slices({x});
}

std::vector<float> read_all(const Source& source) {
  std::vector<float> numbers(
      static_cast<size_t>(source.size() * source.fields()[0].shape.elements()));
  std::byte* into[] = {reinterpret_cast<std::byte*>(numbers.data())};
  source.read_run(0, source.size(), into);
  return numbers;
}

TEST(Repaired, PutsTheMeanOfTheFiniteNumbersOfAColumn) {
  const SourcePtr source = table({1, 10, NAN, 20, 3, INFINITY, 8, 60}, 2);
  const SourcePtr whole = repaired(source, column_values(source, {0}, RepairWith::mean));
  EXPECT_EQ(read_all(*whole), (std::vector<float>{1, 10, 4, 20, 3, 30, 8, 60}));
  EXPECT_NO_THROW(read_all(*finite_records(whole)));
}

TEST(Repaired, PutsTheMedianAsNumPyHasIt) {
  const SourcePtr source = table({1, 10, NAN, 20, 3, -INFINITY, 8, 60, 100, 70}, 2);
  const ColumnValues values = column_values(source, {0}, RepairWith::median);
  EXPECT_EQ(values, (ColumnValues{{5.5f, 40}}));
}

TEST(Repaired, RefusesAColumnWithNothingToGoBy) {
  EXPECT_THAT(
      [] {
        column_values(table({1, NAN, 2, NAN}, 2), {0}, RepairWith::mean);
      },
      testing::ThrowsMessage<InvalidArgument>(
          testing::HasSubstr("column 1 of 'field 0' has no finite number")));
  EXPECT_THROW(repair_with("mode"), InvalidArgument);
}

TEST(Repaired, LeavesOtherFieldsAlone) {
  const SourcePtr source = table({1, NAN}, 1);
  const SourcePtr same = repaired(source, column_values(source, {}, RepairWith::mean));
  EXPECT_TRUE(std::isnan(read_all(*same)[1]));
}

TEST(FiniteRecords, NameTheRecordAndTheNumber) {
  const SourcePtr source = finite_records(table({1, 2, 3, NAN}, 2));
  EXPECT_THAT([&] { read_all(*source); },
              testing::ThrowsMessage<CorruptFile>("1: column 1 of 'field 0' is NaN"));
  float row[2];
  std::byte* const into[] = {reinterpret_cast<std::byte*>(row)};
  EXPECT_NO_THROW(source->read(0, into));
  EXPECT_THROW(source->read(1, into), CorruptFile);
}

}  // namespace
}  // namespace plimsoll
