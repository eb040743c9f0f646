#include "plimsoll/data/stages/permutation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace plimsoll {
namespace {

TEST(Permutation, VisitsEachIndexOnce) {
  for (int64_t size : {1, 2, 3, 5, 16, 17, 1000, 65537}) {
    const Permutation permutation(size, 42);
    std::vector<int> visits(static_cast<size_t>(size));
    for (int64_t i = 0; i < size; ++i) ++visits.at(static_cast<size_t>(permutation(i)));
    for (int count : visits) ASSERT_EQ(count, 1) << "size " << size;
  }
}

TEST(Permutation, DependsOnTheKeyAlone) {
  const Permutation a(1000, 1), same(1000, 1), other(1000, 2);
  int moved = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(a(i), same(i));
    moved += a(i) != other(i);
  }
  EXPECT_GT(moved, 950);
}

// A shuffle puts each index anywhere with equal chance: over many keys, where index 3 goes is
// spread evenly (chi-square with 9 degrees of freedom, 0.1% level 27.9).
TEST(Permutation, SpreadsEvenlyOverKeys) {
  constexpr int kSize = 10, kKeys = 20000;
  std::vector<double> counts(kSize);
  for (int64_t key = 0; key < kKeys; ++key)
    ++counts[static_cast<size_t>(Permutation(kSize, shuffle_key(7, key))(3))];
  double chi_square = 0;
  for (double count : counts) chi_square += std::pow(count - kKeys / kSize, 2) / (kKeys / kSize);
  EXPECT_LT(chi_square, 27.9);
}

}  // namespace
}  // namespace plimsoll
