#include "plimsoll/data/batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// Records i with fields (i, i + 0.5) and i.
SourcePtr counting(int64_t records) {
  HostTensor x{{DType::float32, {records, 2}}, std::make_shared<Storage>(records * 8)};
  HostTensor y{{DType::int32, {records}}, std::make_shared<Storage>(records * 4)};
  for (int64_t i = 0; i < records; ++i) {
    const float pair[] = {static_cast<float>(i), static_cast<float>(i) + 0.5f};
    const auto label = static_cast<int32_t>(i);
    std::memcpy(x.storage->data() + i * 8, pair, 8);
    std::memcpy(y.storage->data() + i * 4, &label, 4);
  }
  return from_tensor_slices({x, y});
}

TEST(Batches, KeepFieldsOfARecordTogetherWhateverTheOrder) {
  Batches batches(counting(10), 4);
  batches.start_shuffled_epoch(1, 0);
  std::set<int32_t> seen;
  for (int64_t b = 0; b < batches.batch_count(); ++b) {
    batches.load(b);
    const auto* x = reinterpret_cast<const float*>(batches.field(0));
    const auto* y = reinterpret_cast<const int32_t*>(batches.field(1));
    for (int64_t row = 0; row < batches.records_of(b); ++row) {
      EXPECT_EQ(static_cast<float>(y[row]) + 0.5f, x[2 * row + 1]);
      EXPECT_EQ(y[row], batches.record_at(b, row));
      seen.insert(y[row]);
    }
  }
  EXPECT_EQ(seen.size(), 10u);
}

TEST(Batches, TheLastHoldsWhatIsLeft) {
  const Batches batches(counting(10), 4);
  EXPECT_EQ(batches.batch_count(), 3);
  EXPECT_EQ(batches.records_of(2), 2);
}

TEST(Batches, ABatchIsNoLargerThanTheData) {
  EXPECT_EQ(Batches(counting(3), 32).batch_size(), 3);
}

TEST(Batches, RefuseWhatCannotWork) {
  EXPECT_THROW(Batches(counting(3), 0), InvalidArgument);
  EXPECT_THROW(Batches(counting(0), 2), InvalidArgument);
  EXPECT_THROW(subset(counting(3), 1, 5), InvalidArgument);
  const HostTensor x{{DType::float32, {3}}, std::make_shared<Storage>(12)};
  const HostTensor y{{DType::float32, {2}}, std::make_shared<Storage>(8)};
  EXPECT_THAT(
      [&] {
        from_tensor_slices({x, y});
      },
      testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("found 3 and 2")));
}

}  // namespace
}  // namespace plimsoll
