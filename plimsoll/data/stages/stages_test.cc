#include "plimsoll/data/stages/stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/generator.h"
#include "plimsoll/data/stages/cached.h"
#include "plimsoll/data/stages/mapped.h"
#include "plimsoll/data/stages/shuffled.h"

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;
using Numbers = std::vector<int64_t>;

// Records first, first + 1, …; the epoch counts thousands.
SourcePtr counting(int64_t records, int64_t first = 0) {
  return mapped(
      from_generator({{DType::int64, {}}}, std::max<int64_t>(1, records),
                     [first](int64_t record, const RecordWriter& into) {
                       into.field<int64_t>(0)[0] = first + record;
                     }),
      [](RecordId id, const RecordWriter& into) { into.field<int64_t>(0)[0] += id.epoch * 1000; });
}

SourcePtr counting_or_none(int64_t records, int64_t first) {
  return take(counting(records, first), records);
}

int64_t value_at(const Source& source, RecordId id) {
  int64_t value = -1;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&value)};
  source.read(id, into);
  return value;
}

Numbers all(const SourcePtr& source, int64_t epoch = 0) {
  Numbers values;
  for (int64_t i = 0; i < source->size(); ++i) values.push_back(value_at(*source, {i, epoch}));
  return values;
}

TEST(Stages, TakeAndSkip) {
  EXPECT_THAT(all(take(counting(5), 2)), ElementsAre(0, 1));
  EXPECT_THAT(all(skip(counting(5), 2)), ElementsAre(2, 3, 4));
  EXPECT_THAT(all(take(counting(2), 9)), ElementsAre(0, 1));
  EXPECT_THAT(all(skip(counting(2), 9)), IsEmpty());
  EXPECT_THROW(take(counting(2), -1), InvalidArgument);
}

TEST(Stages, ShardsAreAllRecordsTogether) {
  EXPECT_THAT(all(shard(counting(7), 3, 0)), ElementsAre(0, 3, 6));
  EXPECT_THAT(all(shard(counting(7), 3, 2)), ElementsAre(2, 5));
  EXPECT_EQ(shard(counting(2), 5, 4)->size(), 0);
  EXPECT_THROW(shard(counting(7), 3, 3), InvalidArgument);
}

TEST(Stages, RepeatGoesThroughThePasses) {
  EXPECT_THAT(all(repeat(counting(2), 3)), ElementsAre(0, 1, 1000, 1001, 2000, 2001));
  EXPECT_THAT(all(repeat(counting(2), 3), 1), ElementsAre(3000, 3001, 4000, 4001, 5000, 5001));
  EXPECT_THROW(repeat(counting(2), 0), InvalidArgument);
}

TEST(Stages, ConcatenateKeepsNamesAndOrder) {
  const SourcePtr both = concatenate({counting(2), counting(3, 100)});
  EXPECT_THAT(all(both), ElementsAre(0, 1, 100, 101, 102));
  EXPECT_EQ(both->name(3), "1");
  const SourcePtr other =
      from_generator({{DType::float32, {}}}, 1, [](int64_t, const RecordWriter&) {});
  EXPECT_THROW(concatenate({counting(2), other}), InvalidArgument);
  EXPECT_THROW(concatenate({}), InvalidArgument);
}

// The expected orders are tf.data's.
TEST(Stages, InterleaveTakesTurnsAsTensorFlowDoes) {
  const auto of = [](const Numbers& sizes, int64_t cycle, int64_t block) {
    std::vector<SourcePtr> sources;
    for (const int64_t size : sizes)
      sources.push_back(counting_or_none(size, std::ssize(sources) * 100));
    return all(interleave(sources, {cycle, block}));
  };
  EXPECT_THAT(of({3, 5, 2}, 3, 1), ElementsAre(0, 100, 200, 1, 101, 201, 2, 102, 103, 104));
  EXPECT_THAT(of({4, 1, 3, 2}, 2, 2), ElementsAre(0, 1, 100, 2, 3, 200, 201, 202, 300, 301));
  EXPECT_THAT(of({2, 0, 3, 1, 4}, 2, 1), ElementsAre(0, 1, 200, 201, 300, 202, 400, 401, 402, 403));
  EXPECT_THAT(of({5, 2, 6, 1}, 3, 2),
              ElementsAre(0, 1, 100, 101, 200, 201, 2, 3, 202, 203, 4, 300, 204, 205));
}

TEST(Stages, ZipJoinsFieldsAndEndsWithTheShortest) {
  const SourcePtr both = zipped({counting(3), counting(2, 50)});
  EXPECT_EQ(both->size(), 2);
  int64_t a = -1, b = -1;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&a), reinterpret_cast<std::byte*>(&b)};
  both->read(1, into);
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, 51);
  EXPECT_EQ(both->name(1), "1 + 1");
  EXPECT_EQ(both->element_name(1, 0), "");
}

TEST(Stages, ShuffleThenTakeDrawsOthersInEachEpoch) {
  const SourcePtr drawn = take(shuffled(counting(100), {.seed = 3}), 10);
  EXPECT_NE(all(drawn, 0), all(drawn, 1));
}

TEST(Mapped, MakesOtherFields) {
  const SourcePtr halves = mapped(counting(3), {{DType::float32, {2}}},
                                  [](RecordId, const RecordReader& from, const RecordWriter& to) {
                                    to.field<float>(0)[0] =
                                        static_cast<float>(from.field<int64_t>(0)[0]) / 2;
                                    to.field<float>(0)[1] = 7;
                                  });
  float pair[2];
  std::byte* const into[] = {reinterpret_cast<std::byte*>(pair)};
  halves->read(1, into);
  EXPECT_EQ(pair[0], 0.5f);
  EXPECT_EQ(pair[1], 7.0f);
  const SourcePtr wrong =
      mapped(counting(1), [](RecordId, const RecordWriter& to) { to.field<float>(0)[0] = 1; });
  EXPECT_THROW(wrong->read(0, into), InvalidArgument);
}

TEST(Filtered, KeepsWhatTheFunctionKeepsInItsOrder) {
  const SourcePtr odd = filtered(counting(200), [](const RecordReader& record) {
    return record.field<int64_t>(0)[0] % 40 == 1;
  });
  EXPECT_THAT(all(odd), ElementsAre(1, 41, 81, 121, 161));
  EXPECT_EQ(odd->name(1), "41");
}

TEST(Cached, ReadsARecordOnceAndKeepsWhatItWas) {
  for (const std::string& folder : {std::string(), testing::TempDir()}) {
    std::atomic<int> reads = 0;
    const SourcePtr kept =
        cached(mapped(counting(50), [&](RecordId, const RecordWriter&) { ++reads; }), folder);
    const Numbers first = all(kept, 0);
    EXPECT_EQ(all(kept, 1), first);
    EXPECT_EQ(reads, 50);
  }
}

TEST(SpooledGenerator, IsRunOnceAndThenReadInAnyOrder) {
  int64_t next = 0;
  const auto make = [&](const RecordWriter& into) {
    if (next == 5) return false;
    into.field<int64_t>(0)[0] = next++ * 10;
    return true;
  };
  const GeneratorOptions here{.folder = testing::TempDir()};
  const SourcePtr source = from_generator({{DType::int64, {}}}, make, here);
  EXPECT_EQ(source->size(), 5);
  EXPECT_EQ(value_at(*source, 3), 30);
  EXPECT_EQ(value_at(*source, 0), 0);
}

TEST(SpooledGenerator, ThatNeverEndsIsAskedForNoMoreThanIsRead) {
  int64_t made = 0;
  const SourcePtr endless = from_generator({{DType::int64, {}}},
                                           [&](const RecordWriter& into) {
                                             into.field<int64_t>(0)[0] = made++;
                                             return true;
                                           },
                                           {.records = 1000, .folder = testing::TempDir()});
  EXPECT_EQ(made, 0);
  EXPECT_EQ(value_at(*endless, 6), 6);
  EXPECT_EQ(made, 7);
  const SourcePtr short_one =
      from_generator({{DType::int64, {}}}, [](const RecordWriter&) { return false; },
                     {.records = 2, .folder = testing::TempDir()});
  EXPECT_THAT([&] { value_at(*short_one, 0); },
              ThrowsMessage<InvalidArgument>(HasSubstr("ended after 0 of 2")));
}

}  // namespace
}  // namespace plimsoll
