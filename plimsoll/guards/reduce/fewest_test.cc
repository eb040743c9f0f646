#include "plimsoll/guards/reduce/fewest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "plimsoll/base/random.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using Items = std::vector<int64_t>;

Items first(int64_t count) {
  Items items(static_cast<size_t>(count));
  std::iota(items.begin(), items.end(), 0);
  return items;
}

uint32_t drawn(uint32_t seed, uint32_t number) {
  return philox({number, 0, 0, 0}, {seed, 0})[0];
}

bool has_all(const Items& some, const Items& wanted) {
  return std::ranges::all_of(
      wanted, [&](int64_t item) { return std::ranges::find(some, item) != some.end(); });
}

TEST(Fewest, FindsOneItemAmongMany) {
  const Fewest found =
      fewest(first(10000), [](const Items& some) { return has_all(some, {7123}); });
  EXPECT_THAT(found.kept, ElementsAre(7123));
  EXPECT_LE(found.trials, 2 * 14);
  EXPECT_TRUE(found.is_minimal);
}

TEST(Fewest, FindsItemsThatFailOnlyTogether) {
  const Fewest found = fewest(first(64), [](const Items& some) {
    return has_all(some, {3, 31, 60});
  });
  EXPECT_THAT(found.kept, ElementsAre(3, 31, 60));
}

TEST(Fewest, LeavesOneWhereAnyFails) {
  const Fewest found = fewest(first(1000), [](const Items&) { return true; });
  EXPECT_EQ(found.kept.size(), 1u);
  EXPECT_LE(found.trials, 10);
}

TEST(Fewest, KeepsAllWhereAllAreNeeded) {
  const Fewest found = fewest(first(7), [](const Items& some) { return some.size() == 7; });
  EXPECT_EQ(found.kept, first(7));
  EXPECT_TRUE(found.is_minimal);
}

TEST(Fewest, TriesNoListTwiceAndNoneThatIsEmpty) {
  std::set<Items> tried;
  const Fewest found = fewest(first(40), [&](const Items& some) {
    EXPECT_FALSE(some.empty());
    EXPECT_TRUE(tried.insert(some).second) << "tried again";
    return has_all(some, {1, 2, 20, 39});
  });
  EXPECT_EQ(found.trials, static_cast<int64_t>(tried.size()));
}

TEST(Fewest, EndsWithTheBestSoFarWhenTimeIsOver) {
  int left = 3;
  const Fewest found = fewest(
      first(1024), [](const Items& some) { return has_all(some, {1}); },
      [&] { return left-- == 0; });
  EXPECT_EQ(found.trials, 3);
  EXPECT_EQ(found.kept.size(), 128u);
  EXPECT_FALSE(found.is_minimal);
}

// Whatever is needed, nothing that is kept can be left out alone, and it still fails.
TEST(Fewest, IsMinimalForAnyMonotoneFailure) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    const int64_t count = 1 + drawn(seed, 1000) % 60;
    Items needed;
    for (int64_t i = 0; i < count; ++i)
      if (drawn(seed, static_cast<uint32_t>(i)) % 7 == 0) needed.push_back(i);
    if (needed.empty()) needed.push_back(0);
    const Fewest found =
        fewest(first(count), [&](const Items& some) { return has_all(some, needed); });
    EXPECT_EQ(found.kept, needed) << "seed " << seed;
  }
}

}  // namespace
}  // namespace plimsoll
