#include "plimsoll/data/sources/record_set.h"

#include <gtest/gtest.h>

#include <functional>

namespace plimsoll {
namespace {

// The set, and a plain walk that counts.
void check(int64_t size, const std::function<bool(int64_t)>& is_member) {
  RecordSet set;
  for (int64_t i = 0; i < size; ++i) set.push_back(is_member(i));
  int64_t found[2] = {};
  for (int64_t i = 0; i < size; ++i) {
    const bool in = is_member(i);
    ASSERT_EQ(set.find(found[in]++, in), i) << "of " << size;
  }
  EXPECT_EQ(set.size(), size);
  EXPECT_EQ(set.count(true), found[1]);
  EXPECT_EQ(set.count(false), found[0]);
}

TEST(RecordSet, FindsTheMembersAndTheOthersInOrder) {
  for (int64_t size : {1, 63, 64, 65, 511, 512, 513, 5000}) {
    check(size, [](int64_t) { return true; });
    check(size, [](int64_t) { return false; });
    check(size, [](int64_t i) { return i % 3 == 0; });
    check(size, [](int64_t i) { return i % 1000 > 900; });
    check(size, [](int64_t i) { return i * i % 7 < 3; });
  }
}

}  // namespace
}  // namespace plimsoll
