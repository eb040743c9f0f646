#include "plimsoll/train/data/epoch_batches.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

void expect_range(EpochBatches& epochs, int64_t batches, int64_t begin, int64_t end, int64_t pass) {
  const EpochBatches::Range range = epochs.next(batches);
  EXPECT_EQ(range.begin, begin);
  EXPECT_EQ(range.end, end);
  EXPECT_EQ(range.pass, pass);
}

TEST(EpochBatches, AreTheWholeDataWithoutANumberOfSteps) {
  EpochBatches epochs(std::nullopt, 3);
  expect_range(epochs, 5, 0, 5, 3);
  expect_range(epochs, 5, 0, 5, 4);
}

TEST(EpochBatches, GoOnWhereTheLastEpochEndedAndEndWithTheData) {
  EpochBatches epochs(2, 0);
  expect_range(epochs, 5, 0, 2, 0);
  expect_range(epochs, 5, 2, 4, 0);
  expect_range(epochs, 5, 4, 5, 0);
  expect_range(epochs, 5, 0, 2, 1);
}

TEST(EpochBatches, AreNoMoreThanTheDataHas) {
  EpochBatches epochs(10, 0);
  expect_range(epochs, 3, 0, 3, 0);
  expect_range(epochs, 3, 0, 3, 1);
}

TEST(EpochBatches, BeginAnewWhereTheDataTurnsOutToHaveFewer) {
  EpochBatches epochs(2, 0);
  expect_range(epochs, 5, 0, 2, 0);
  expect_range(epochs, 5, 2, 4, 0);
  expect_range(epochs, 4, 0, 2, 1);
  EpochBatches::Range range = epochs.next(4);
  epochs.end_pass(range);
  expect_range(epochs, 3, 0, 2, 2);
}

}  // namespace
}  // namespace plimsoll
