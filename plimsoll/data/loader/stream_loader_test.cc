#include "plimsoll/data/loader/stream_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <stdexcept>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/finite_records.h"
#include "plimsoll/data/stages/pipeline.h"
#include "tests/support/list_stream.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::host_tensor;
using testing::listed_stream;
using testing::ListedBatch;
using testing::ListedBatches;
using ::testing::ThrowsMessage;

HostTensor floats(const std::vector<float>& values, const Shape& shape) {
  return host_tensor(values, shape);
}

// Records of one number, counted from `first`.
ListedBatch counted(int64_t first, int64_t records) {
  std::vector<float> values;
  for (int64_t i = 0; i < records; ++i) values.push_back(static_cast<float>(first + i));
  return {floats(values, {records})};
}

std::vector<float> loaded(const StreamLoader& loader, int64_t records) {
  const auto* values = reinterpret_cast<const float*>(loader.field(0));
  return {values, values + records};
}

// All batches of an epoch, each cut into parts of at most `part` and put together again.
std::vector<std::vector<float>> epoch_of(StreamLoader& loader, int64_t epoch, int64_t part) {
  std::vector<std::vector<float>> batches;
  loader.start_epoch(epoch);
  while (const int64_t records = loader.begin_batch()) {
    loader.cut(PartSizes(records, part));
    std::vector<float>& batch = batches.emplace_back();
    for (int64_t i = 0; i < loader.parts().count; ++i) {
      loader.load_part(i);
      const std::vector<float> values = loaded(loader, loader.parts().size(i));
      batch.insert(batch.end(), values.begin(), values.end());
    }
  }
  return batches;
}

TEST(StreamLoader, GivesTheBatchesOfTheStreamWhateverTheirSizesAndParts) {
  std::mt19937 random(5);
  const auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 100; ++round) {
    ListedBatches batches;
    std::vector<std::vector<float>> expected;
    int64_t first = 0;
    for (int64_t left = draw(1, 6); left > 0; --left) {
      const int64_t records = draw(1, 9);
      batches.push_back(counted(first, records));
      auto& values = expected.emplace_back();
      for (int64_t i = 0; i < records; ++i) values.push_back(static_cast<float>(first + i));
      first += records;
    }
    StreamLoader loader(listed_stream(batches), {.windows = static_cast<int>(draw(1, 3))});
    const int64_t part = draw(0, 4);
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      ASSERT_EQ(epoch_of(loader, epoch, part), expected);
      ASSERT_EQ(loader.expected_batches(), std::ssize(expected));
    }
    loader.start_epoch(3);  // and is left in the middle of a pass
    loader.begin_batch();
    ASSERT_EQ(epoch_of(loader, 4, part), expected);
  }
}

TEST(StreamLoader, CutsLargerBatchesIntoPieces) {
  StreamLoader loader(listed_stream({counted(0, 5), counted(5, 2)}), {.most_records = 2});
  const auto batches = epoch_of(loader, 0, 0);
  EXPECT_THAT(batches,
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4), ElementsAre(5, 6)));
  EXPECT_EQ(loader.expected_batches(), 2);
  loader.start_epoch(1);
  EXPECT_EQ(loader.whole_batches(), 0);
  for (const int64_t whole : {0, 0, 1, 2}) {
    loader.begin_batch();
    EXPECT_EQ(loader.whole_batches(), whole);
  }
}

TEST(StreamLoader, TakesRecordsOfAnotherShapeFromBatchToBatch) {
  StreamLoader loader(listed_stream({{floats({1, 2}, {2, 1})}, {floats({3, 4, 5, 6}, {1, 4})}}),
                      {.windows = 2});
  loader.start_epoch(0);
  loader.begin_batch();
  EXPECT_EQ(loader.fields()[0].shape, Shape{1});
  loader.begin_batch();
  EXPECT_EQ(loader.fields()[0].shape, Shape{4});
  EXPECT_THAT(loaded(loader, 4), ElementsAre(3, 4, 5, 6));
}

TEST(StreamLoader, RefusesABatchOfOtherFields) {
  StreamLoader loader(listed_stream({counted(0, 2), {floats({1, 2}, {2, 1})}}), {});
  loader.start_epoch(0);
  loader.begin_batch();
  EXPECT_THAT([&] { loader.begin_batch(); },
              ThrowsMessage<InvalidArgument>(
                  HasSubstr("batch 2 has records of float32 (1,), expected float32 ()")));
}

// Not an Error of ours.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class FailingStream final : public BatchStream {
 public:
  int64_t next() override {
    if (++batch_ == 3) throw Interrupted("line 7 of the user's program");
    return 1;
  }
  const Specs& fields() const override { return fields_; }
  const std::byte* field(size_t) const override { return bytes_; }

 private:
  int batch_ = 0;
  Specs fields_ = {{DType::uint8, {}}};
  std::byte bytes_[1] = {};
};

TEST(StreamLoader, ThrowsWhatTheStreamThrewWhereItsBatchWouldBe) {
  for (const int windows : {1, 2, 4}) {
    StreamLoader loader(from_stream([] { return std::make_unique<FailingStream>(); }),
                        {.windows = windows});
    for (int pass = 0; pass < 2; ++pass) {
      loader.start_epoch(pass);
      EXPECT_EQ(loader.begin_batch(), 1);
      EXPECT_EQ(loader.begin_batch(), 1);
      EXPECT_THAT([&] { loader.begin_batch(); }, ThrowsMessage<Interrupted>(HasSubstr("line 7")));
    }
  }
}

TEST(StreamLoader, NamesOrLeavesOutBadRecords) {
  const float infinity = std::numeric_limits<float>::infinity();
  const ListedBatches batches = {counted(0, 2), {floats({2, infinity, 4}, {3})}};
  StreamLoader failing(finite_records(listed_stream(batches), {"x"}), {});
  failing.start_epoch(0);
  failing.begin_batch();
  EXPECT_THAT([&] { failing.begin_batch(); }, ThrowsMessage<CorruptFile>(HasSubstr("3: ")));
  StreamLoader skipping(finite_records(listed_stream(batches), {"x"}),
                        {.windows = 2, .bad = {.then = OnBadRecord::skip}});
  EXPECT_THAT(epoch_of(skipping, 0, 0), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 4)));
  EXPECT_EQ(skipping.bad_records().count(), 1);
}

TEST(Stream, HasNoRecordsByNumber) {
  const SourcePtr stream = listed_stream({counted(0, 2)});
  EXPECT_THAT([&] { Pipeline(stream).take(1); },
              ThrowsMessage<InvalidArgument>(HasSubstr("batch by batch")));
  EXPECT_THAT([&] { stream->stream()->again()->size(); },
              ThrowsMessage<InvalidArgument>(HasSubstr("batch by batch")));
  EXPECT_THAT([] { listed_stream({})->fields(); },
              ThrowsMessage<InvalidArgument>(HasSubstr("there is no batch")));
}

}  // namespace
}  // namespace plimsoll
