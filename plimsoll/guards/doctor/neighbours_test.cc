#include "plimsoll/guards/doctor/neighbours.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace plimsoll {
namespace {

// Two columns of 200 records; the second is a thousand times as large as the first.
std::optional<double> skill_of(double (*target)(double a, double b, int i), bool are_classes) {
  Neighbours neighbours(2, 1);
  for (int i = 0; i < 200; ++i) {
    const double a = std::sin(i * 12.9898), b = std::sin(i * 78.233);
    neighbours.add(std::array{a, 1000 * b}, std::array{target(a, b, i)});
  }
  return neighbours.skill(are_classes);
}

TEST(Neighbours, TellWhatInputsDecide) {
  EXPECT_GT(*skill_of([](double a, double b, int) { return a * b > 0 ? 1.0 : 0.0; }, true), 0.7);
  EXPECT_GT(*skill_of([](double a, double b, int) { return a + b; }, false), 0.8);
}

TEST(Neighbours, TellNothingAboutChance) {
  EXPECT_LT(*skill_of([](double, double, int i) { return i * 7919 % 101 < 50 ? 1.0 : 0.0; }, true),
            0.2);
  EXPECT_LT(*skill_of([](double, double, int i) { return i * 7919 % 101 * 1.0; }, false), 0.1);
}

TEST(Neighbours, LeaveLargeRecordsOut) {
  EXPECT_EQ(Neighbours(10'000'000, 1).most_records(), 0);
  EXPECT_EQ(Neighbours(2, 1).skill(true), std::nullopt);
  EXPECT_EQ(Neighbours(100, 1).most_records(), 1000);
}

}  // namespace
}  // namespace plimsoll
