#include "plimsoll/data/check/fingerprint.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace plimsoll {
namespace {

uint64_t of(const std::string& text, uint64_t seed = 0) {
  return fingerprint(std::as_bytes(std::span(text)), seed);
}

TEST(FingerprintTest, IsTheSameForTheSameBytes) {
  EXPECT_EQ(of("a record of some bytes"), of("a record of some bytes"));
  EXPECT_NE(of("a record", 0), of("a record", 1));
  EXPECT_NE(of(""), 0u);
}

TEST(FingerprintTest, DiffersForEveryOtherLengthAndBit) {
  std::set<uint64_t> seen;
  size_t expected = 0;
  for (size_t size = 0; size <= 100; ++size, ++expected) seen.insert(of(std::string(size, '\0')));
  for (size_t bit = 0; bit < 800; ++bit, ++expected) {
    std::string bytes(100, '\0');
    bytes[bit / 8] = static_cast<char>(1 << bit % 8);
    seen.insert(of(bytes));
  }
  EXPECT_EQ(seen.size(), expected);
}

TEST(FingerprintTest, DiffersForEveryPairOfBits) {
  std::set<uint64_t> seen;
  size_t expected = 0;
  for (size_t one = 0; one < 400; ++one)
    for (size_t two = 0; two < one; ++two, ++expected) {
      std::string bytes(50, '\0');
      bytes[one / 8] = static_cast<char>(1 << one % 8);
      bytes[two / 8] = static_cast<char>(bytes[two / 8] | 1 << two % 8);
      seen.insert(of(bytes));
    }
  EXPECT_EQ(seen.size(), expected);
}

TEST(FingerprintTest, DiffersForAMillionNumbers) {
  std::set<uint64_t> seen;
  for (int64_t i = 0; i < 1'000'000; ++i) seen.insert(fingerprint(std::as_bytes(std::span(&i, 1))));
  EXPECT_EQ(seen.size(), 1'000'000u);
}

// Many pairs of numbers, as records of a table are.
TEST(FingerprintTest, DiffersWhereWordsAreExchanged) {
  std::set<uint64_t> seen;
  for (float a = 0; a < 200; ++a)
    for (float b = 0; b < 200; ++b) {
      const float row[] = {a, 1, 2, 3, b, 5, 6, 7};
      seen.insert(fingerprint(std::as_bytes(std::span(row))));
    }
  EXPECT_EQ(seen.size(), 40'000u);
}

}  // namespace
}  // namespace plimsoll
