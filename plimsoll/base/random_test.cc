#include "plimsoll/base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace plimsoll {
namespace {

using Counter = std::array<uint32_t, 4>;
using Key = std::array<uint32_t, 2>;

// The known answers that Random123 publishes for philox4x32, 10 rounds.
static_assert(philox(Counter{}, Key{}) == Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(philox(Counter{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                     Key{0xffffffff, 0xffffffff}) ==
              Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(philox(Counter{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                     Key{0xa4093822, 0x299f31d0}) ==
              Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

TEST(Philox, GivesTheSameNumbersAtRunTimeAsRandom123) {
  Counter counter{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
  Key key{0xa4093822, 0x299f31d0};
  // Read through volatile so that the compiler cannot fold the call.
  for (volatile uint32_t& word : counter) word = word;
  for (volatile uint32_t& word : key) word = word;
  EXPECT_EQ(philox(counter, key), (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Uniform01, CoversZeroToJustBelowOne) {
  EXPECT_EQ(uniform01(0), 0.0f);
  EXPECT_EQ(uniform01(0xffffffff), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniform01(0x80000000), 0.5f);
}

TEST(Uniform01, HasTheMeanAndVarianceOfAUniform) {
  double sum = 0, squares = 0;
  constexpr uint32_t kBlocks = 50'000;
  for (uint32_t i = 0; i < kBlocks; ++i)
    for (uint32_t word : philox({i, 0, 0, 0}, {7, 0})) {
      const double u = uniform01(word);
      sum += u;
      squares += u * u;
    }
  const double count = 4.0 * kBlocks, mean = sum / count;
  EXPECT_NEAR(mean, 0.5, 0.002);
  EXPECT_NEAR(squares / count - mean * mean, 1.0 / 12, 0.001);
}

TEST(BoxMuller, IsFiniteAtTheEdgesOfItsInput) {
  for (uint32_t bits0 : {0u, 1u, 0x7fffffffu, 0xfffffffeu, 0xffffffffu})
    for (uint32_t bits1 : {0u, 0x40000000u, 0xffffffffu})
      for (float normal : box_muller(bits0, bits1)) {
        EXPECT_TRUE(std::isfinite(normal));
        EXPECT_LT(std::abs(normal), 6.7f);
      }
}

TEST(BoxMuller, HasTheMomentsOfAStandardNormal) {
  double sum = 0, squares = 0, fourth = 0, product = 0;
  constexpr uint32_t kPairs = 200'000;
  for (uint32_t i = 0; i < kPairs; ++i) {
    const auto bits = philox({i, 0, 0, 0}, {11, 0});
    const auto [a, b] = box_muller(bits[0], bits[1]);
    product += double{a} * b;
    for (double normal : {double{a}, double{b}}) {
      sum += normal;
      squares += normal * normal;
      fourth += normal * normal * normal * normal;
    }
  }
  constexpr double kCount = 2.0 * kPairs;
  EXPECT_NEAR(sum / kCount, 0, 0.006);
  EXPECT_NEAR(squares / kCount, 1, 0.01);
  EXPECT_NEAR(fourth / kCount, 3, 0.08);
  EXPECT_NEAR(product / kPairs, 0, 0.01);
}

TEST(StreamId, IsFnv1aOfThePathAndFourBytesOfTheCall) {
  // FNV-1a of "a\0\0\0\0", worked out with an independent implementation.
  EXPECT_EQ(stream_id("a", 0), 0x6de9d1fe51c9cb4c);
  EXPECT_EQ(stream_id("model/dropout_1", 0x01020304), 0x616fd05afa693bfe);
}

TEST(StreamId, DiffersBetweenLayersAndBetweenCalls) {
  std::set<uint64_t> ids;
  for (const char* path : {"", "a", "b", "ab", "a/b", "dropout", "dropout_1"})
    for (uint32_t call : {0u, 1u, 255u, 256u, 0xffffffffu}) ids.insert(stream_id(path, call));
  EXPECT_EQ(ids.size(), 7u * 5u);
}

}  // namespace
}  // namespace plimsoll
