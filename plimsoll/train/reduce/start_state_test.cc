#include "plimsoll/train/reduce/start_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/networks/sequential.h"

namespace plimsoll {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

SequentialBody network(int64_t units) {
  return SequentialBody({InputLayer({.shape = {3}}), Dense({.units = units, .name = "first"}),
                         Dense({.units = 1, .name = "head"})});
}

std::vector<float> values(const Variable& weight) {
  return weight.value().to_vector();
}

SequentialBody numbered() {
  SequentialBody net = network(4);
  for (Variable& weight : net.weights()) {
    std::vector<float> numbers(static_cast<size_t>(weight.shape().elements()));
    std::iota(numbers.begin(), numbers.end(), 1.f);
    weight.set(numbers);
  }
  return net;
}

TEST(StartState, GivesTheSameNetworkTheSameWeights) {
  const SequentialBody first = numbered();
  SequentialBody second = network(4);
  StartState(first).apply(second);
  for (size_t i = 0; i < first.weights().size(); ++i)
    EXPECT_EQ(values(first.weights()[i]), values(second.weights()[i]));
}

TEST(StartState, KeepsTheFirstColumnsOfALayerThatGotSmaller) {
  SequentialBody smaller = network(2);
  StartState(numbered()).apply(smaller);
  // Rows of 1 2 3 4, 5 6 7 8, 9 10 11 12.
  EXPECT_THAT(values(smaller.weights()[0]), ElementsAre(1, 2, 5, 6, 9, 10));
  EXPECT_THAT(values(smaller.weights()[1]), ElementsAre(1, 2));
  EXPECT_THAT(values(smaller.weights()[2]), ElementsAre(1, 2));
}

TEST(StartState, LeavesALargerLayerAsItIs) {
  SequentialBody larger = network(5);
  const std::vector<float> before = values(larger.weights()[0]);
  StartState(numbered()).apply(larger);
  EXPECT_EQ(values(larger.weights()[0]), before);
  EXPECT_THAT(values(larger.weights()[1]), Each(0));
}

}  // namespace
}  // namespace plimsoll
