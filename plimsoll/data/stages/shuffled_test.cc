#include "plimsoll/data/stages/shuffled.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace plimsoll {
namespace {

SourcePtr counting(int64_t records) {
  HostTensor x{{DType::int64, {records}}, std::make_shared<Storage>(records * 8)};
  for (int64_t i = 0; i < records; ++i) std::memcpy(x.storage->data() + i * 8, &i, 8);
  return from_tensor_slices({x});
}

TEST(Shuffled, HasEachRecordOnceUnderItsOwnName) {
  const SourcePtr source = shuffled(counting(20), {.seed = 7});
  std::set<int64_t> seen;
  bool moved = false;
  for (int64_t i = 0; i < 20; ++i) {
    int64_t value = -1;
    std::byte* const into[] = {reinterpret_cast<std::byte*>(&value)};
    source->read(i, into);
    EXPECT_EQ(source->name(i), std::to_string(value));
    moved = moved || value != i;
    seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 20u);
  EXPECT_TRUE(moved);
}

TEST(Shuffled, DependsOnTheSeedAlone) {
  const SourcePtr one = shuffled(counting(50), {.seed = 1}),
                  same = shuffled(counting(50), {.seed = 1}),
                  other = shuffled(counting(50), {.seed = 2});
  int different = 0;
  for (int64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(one->name(i), same->name(i));
    different += one->name(i) != other->name(i);
  }
  EXPECT_GT(different, 30);
}

TEST(Shuffled, HasAnotherOrderInEachEpochUnlessToldOtherwise) {
  const SourcePtr anew = shuffled(counting(50), {.seed = 1});
  const SourcePtr fixed = shuffled(counting(50), {.seed = 1, .reshuffle_each_epoch = false});
  int different = 0;
  for (int64_t i = 0; i < 50; ++i) {
    different += anew->name({i, 0}) != anew->name({i, 1});
    EXPECT_EQ(fixed->name({i, 0}), fixed->name({i, 1}));
  }
  EXPECT_GT(different, 30);
}

}  // namespace
}  // namespace plimsoll
