#include "plimsoll/nn/losses/loss_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll {
namespace {

constexpr int64_t kRecords = 8;

// The least loss of a column of targets that any constant answer from 0 to 1 gets.
double least_by_constant(const LossKind& kind, const std::vector<float>& targets) {
  double least = INFINITY;
  const Tensor y = constant(targets, {kRecords, 1});
  for (int i = 1; i < 200; ++i) {
    const std::vector<float> answer(kRecords, static_cast<float>(i) / 200);
    least = std::min(least, double{kind.make()(y, constant(answer, {kRecords, 1})).item()});
  }
  return least;
}

double entropy(double share) {
  return -share * std::log(share);
}

TEST(LossList, TheBestConstantAnswersAreTheBest) {
  const std::vector<float> numbers = {0.1f, 0.9f, 0.25f, 0.3f, 0.3f, 0.6f, 0.2f, 0.15f};
  const std::vector<float> classes = {0, 1, 0, 0, 0, 1, 0, 0};
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / kRecords;
  constexpr double kMedian = 0.275;
  double variance = 0, deviation = 0;
  for (const double it : numbers) {
    variance += (it - mean) * (it - mean) / kRecords;
    deviation += std::abs(it - kMedian) / kRecords;
  }
  for (const LossKind& kind : loss_list()) {
    SCOPED_TRACE(kind.name);
    if (kind.constant_answer == ConstantAnswer::variance) {
      EXPECT_NEAR(least_by_constant(kind, numbers), variance, 1e-4);
    }
    if (kind.constant_answer == ConstantAnswer::absolute_deviation) {
      EXPECT_NEAR(least_by_constant(kind, numbers), deviation, 1e-4);
    }
    if (kind.constant_answer == ConstantAnswer::entropy) {
      EXPECT_NEAR(least_by_constant(kind, classes), entropy(0.25) + entropy(0.75), 1e-4);
    }
  }
}

TEST(LossList, TheSharesOfClassesAreTheBestConstantAnswerOfThoseThatHaveTheirEntropy) {
  const std::vector<float> labels = {0, 1, 0, 2, 0, 1, 0, 0};
  const std::vector<float> shares = {0.625f, 0.25f, 0.125f};
  std::vector<float> rows, answers;
  for (const float label : labels)
    for (int i = 0; i < 3; ++i) {
      rows.push_back(label == static_cast<float>(i) ? 1 : 0);
      answers.push_back(shares[static_cast<size_t>(i)]);
    }
  int found = 0;
  for (const LossKind& kind : loss_list()) {
    if (kind.constant_answer != ConstantAnswer::entropy_of_classes) continue;
    ++found;
    const Loss loss = kind.make();
    const bool takes_numbers = loss.targets().kind == LossTargets::Kind::class_numbers;
    const Tensor y = takes_numbers ? constant(labels, {kRecords}) : constant(rows, {kRecords, 3});
    EXPECT_NEAR(loss(y, constant(answers, {kRecords, 3})).item(),
                entropy(0.625) + entropy(0.25) + entropy(0.125), 1e-5)
        << kind.name;
  }
  EXPECT_EQ(found, 2);
}

TEST(LossList, ACrossentropyTakesProbabilitiesOrClasses) {
  for (const LossKind& kind : loss_list()) {
    const LossTargets::Kind targets = kind.make().targets().kind;
    if (kind.comparison == Comparison::crossentropy) {
      EXPECT_NE(targets, LossTargets::Kind::numbers) << kind.name;
    }
    if (kind.comparison == Comparison::distance) {
      EXPECT_EQ(targets, LossTargets::Kind::numbers) << kind.name;
    }
  }
}

}  // namespace
}  // namespace plimsoll
