#include "plimsoll/data/stages/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/generator.h"

namespace plimsoll {
namespace {

Pipeline counting(int64_t records) {
  return from_generator({{DType::float32, {}}}, records,
                        [](int64_t record, const RecordWriter& into) {
                          into.field<float>(0)[0] = static_cast<float>(record);
                        });
}

std::vector<float> all(const Pipeline& pipeline) {
  std::vector<float> values(static_cast<size_t>(pipeline.size()));
  std::byte* into[] = {reinterpret_cast<std::byte*>(values.data())};
  pipeline.source()->read_run(0, pipeline.size(), into);
  return values;
}

TEST(Pipeline, IsItsStagesInTheirOrder) {
  const Pipeline ten_times =
      counting(10)
          .skip(2)
          .filter([](const RecordReader& record) { return record.field<float>(0)[0] != 5; })
          .map([](RecordId, const RecordWriter& record) { record.field<float>(0)[0] *= 10; })
          .take(4);
  EXPECT_THAT(all(ten_times), testing::ElementsAre(20, 30, 40, 60));
  EXPECT_THAT(all(ten_times.concatenate(counting(1)).cache().shard(2, 0).repeat(2)),
              testing::ElementsAre(20, 40, 0, 20, 40, 0));
  EXPECT_EQ(ten_times.zip(counting(3)).size(), 3);
  EXPECT_THAT(all(ten_times.shuffle({.seed = 4})), testing::UnorderedElementsAre(20, 30, 40, 60));
}

TEST(Pipeline, EndsWithItsBatches) {
  EXPECT_FALSE(counting(10).batch_size());
  EXPECT_EQ(counting(10).batch(4).batch_size(), 4);
  EXPECT_EQ(counting(10).batch(4).size(), 10);
  EXPECT_EQ(counting(10).batch(4, {.drop_remainder = true}).size(), 8);
  EXPECT_THROW(counting(10).batch(0), InvalidArgument);
  EXPECT_THAT([] { counting(10).batch(4).take(2); },
              testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("before batch()")));
}

}  // namespace
}  // namespace plimsoll
