#include "plimsoll/data/stages/buckets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/generator.h"

namespace plimsoll {
namespace {

constexpr int64_t kLongest = 8;

// Record i has i % 9 words, all i + 1, padded with zeros; its label is i.
SourcePtr sentences(int64_t records) {
  return from_generator({{DType::int32, {kLongest}}, {DType::int32, {}}}, records,
                        [](int64_t record, const RecordWriter& into) {
                          const auto words = into.field<int32_t>(0);
                          std::fill(words.begin(), words.end(), 0);
                          std::fill_n(words.begin(), record % 9, static_cast<int32_t>(record) + 1);
                          into.field<int32_t>(1)[0] = static_cast<int32_t>(record);
                        });
}

TEST(Buckets, HoldEachRecordOnceInTheShortestThatHasRoom) {
  const auto buckets = bucketed(sentences(90), {.boundaries = {2, 5}});
  ASSERT_EQ(buckets.size(), 3u);
  const int64_t lengths[] = {2, 5, kLongest}, shortest[] = {0, 3, 6};
  int64_t records = 0;
  for (size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(buckets[b]->fields()[0].shape, Shape({lengths[b]}));
    std::vector<int32_t> words(static_cast<size_t>(lengths[b]));
    int32_t label = -1;
    std::byte* const into[] = {reinterpret_cast<std::byte*>(words.data()),
                               reinterpret_cast<std::byte*>(&label)};
    for (int64_t i = 0; i < buckets[b]->size(); ++i) {
      buckets[b]->read(i, into);
      EXPECT_GE(label % 9, shortest[b]);
      EXPECT_EQ(std::ranges::count(words, label + 1), label % 9);
      EXPECT_EQ(buckets[b]->name(i), std::to_string(label));
      ++records;
    }
  }
  EXPECT_EQ(records, 90);
}

TEST(Buckets, WithoutRecordsAreNotThere) {
  const auto all_long = bucketed(
      sentences(20), {.boundaries = {2, 5}, .length = [](const auto&) { return int64_t{7}; }});
  ASSERT_EQ(all_long.size(), 1u);
  EXPECT_EQ(all_long[0]->fields()[0].shape, Shape({kLongest}));
  EXPECT_EQ(bucketed(sentences(20), {.boundaries = {100}}).size(), 1u);
}

TEST(Buckets, RefuseWhatCannotBe) {
  EXPECT_THROW(bucketed(sentences(9), {.boundaries = {}}), InvalidArgument);
  EXPECT_THROW(bucketed(sentences(9), {.boundaries = {5, 2}}), InvalidArgument);
  EXPECT_THROW(bucketed(sentences(9), {.boundaries = {2}, .fields = {1}}), InvalidArgument);
  EXPECT_THROW(bucketed(sentences(9), {.boundaries = {2}, .fields = {2}}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
