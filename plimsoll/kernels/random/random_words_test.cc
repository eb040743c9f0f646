#include "plimsoll/kernels/random/random_words.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <set>

namespace plimsoll::kernels {
namespace {

void check_words() {
  const Draw draw = Draw::of(-5, 0x123456789ABCDEF, 3, 99);
  uint32_t quads[kDrawQuads], words[4 * kDrawQuads];
  for (uint32_t i = 0; i < kDrawQuads; ++i) quads[i] = i * 0x9E3779B9;
  for (const int64_t count : {1, 8, 13, 256}) {
    draw_words(draw, 7, quads, count, words);
    for (int64_t i = 0; i < count; ++i) {
      const auto expected = draw.words(7, quads[i]);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), words + 4 * i)) << i;
    }
  }
}

TEST(DrawWords, GivesThePlainFunctionsWordsOnEveryTarget) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check_words();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(DrawWords, AreThoseOfSavedRuns) {
  EXPECT_EQ(random_key(0, 0), (std::array<uint32_t, 2>{0xFF3CD4BF, 0x48218226}));
  EXPECT_EQ(Draw::of(1, 2, 0, 3).words(4, 5),
            (std::array<uint32_t, 4>{0xC8347F9B, 0xEEB4480F, 0x4436D41E, 0x2F46C0C9}));
  EXPECT_EQ(Draw::of(1, 2, 3, 3).words(1, 5), Draw::of(1, 2, 0, 3).words(4, 5));
}

TEST(RandomKey, DiffersForEverySeedAndStream) {
  std::set<std::array<uint32_t, 2>> keys;
  for (int64_t seed = -10; seed < 10; ++seed)
    for (uint64_t stream = 0; stream < 20; ++stream) keys.insert(random_key(seed, stream));
  EXPECT_EQ(keys.size(), 400u);
}

}  // namespace
}  // namespace plimsoll::kernels
