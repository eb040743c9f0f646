// Tapes as intervals of what is recorded: gradients after the tape was stopped, and what keeps its
// history.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Tensor row(std::initializer_list<float> values) {
  return constant(std::span<const float>(values.begin(), values.size()),
                  {static_cast<int64_t>(values.size())});
}

Variable weights_of(std::initializer_list<float> values) {
  Variable variable("w", {DType::float32, {static_cast<int64_t>(values.size())}});
  variable.set({values.begin(), values.size()});
  return variable;
}

bool has_history(const Tensor& tensor) {
  return tensor.value().node->op != nullptr;
}

TEST(StoppedTape, GivesGradientsOfValuesThatWereEvaluatedMeanwhile) {
  const Variable w = weights_of({2, 3});
  const GradientTape tape;
  const Tensor squares = square(w.value());
  EXPECT_THAT(squares.to_vector(), ElementsAre(4, 9));
  const Tensor loss = sum(squares);
  tape.stop();
  EXPECT_EQ(loss.item(), 13);
  EXPECT_FALSE(GradientTape::recording());
  const Variable sources[] = {w};
  EXPECT_THAT(tape.gradient(loss, sources)[0].to_vector(), ElementsAre(4, 6));
}

TEST(StoppedTape, KeepsTheHistoryOfItsIntervalAloneUntilItIsAsked) {
  const Variable w = weights_of({2});
  const Tensor before = w * 2;
  const GradientTape tape;
  const Tensor inside = sum(w * 3);
  tape.stop();
  const Tensor after = w * 4;
  const Tensor all[] = {before, inside, after};
  evaluate(all);
  EXPECT_FALSE(has_history(before));
  EXPECT_TRUE(has_history(inside));
  EXPECT_FALSE(has_history(after));
  const Variable sources[] = {w};
  EXPECT_EQ(tape.gradient(inside, sources)[0].item(), 3);
  EXPECT_FALSE(has_history(inside)) << "the history ends with gradient()";
}

TEST(StoppedTape, WhatWasRecordedBeforeItIsAConstant) {
  const Variable w = weights_of({3});
  const Tensor before = w * w;
  const GradientTape tape({.persistent = true});
  const Tensor loss = sum(before * 2);
  const Variable variables[] = {w};
  EXPECT_FALSE(tape.gradient(loss, variables)[0].defined());
  const Tensor tensors[] = {before};
  EXPECT_EQ(tape.gradient(loss, tensors)[0].item(), 2);
}

TEST(StoppedTape, LeavesOutWhatIsRecordedWhileItPauses) {
  const Variable w = weights_of({3});
  const GradientTape tape;
  const Tensor first = w * 2;
  tape.stop();
  const Tensor paused = w * 100;
  tape.start();
  const Tensor loss = sum(first + paused);
  const Variable sources[] = {w};
  EXPECT_EQ(tape.gradient(loss, sources)[0].item(), 2);
}

TEST(StoppedTape, IsAskedOnceUnlessItIsPersistent) {
  const Variable w = weights_of({3});
  const Variable sources[] = {w};
  const GradientTape once;
  const Tensor loss = sum(w * w);
  once.gradient(loss, sources);
  EXPECT_THAT([&] { once.gradient(loss, sources); },
              ThrowsMessage<InvalidArgument>(HasSubstr("persistent")));
  const GradientTape often({.persistent = true});
  const Tensor other = sum(w * w);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(often.gradient(other, sources)[0].item(), 6);
}

TEST(StoppedTape, TakesSeveralTargetsAndOutputGradients) {
  const Variable w = weights_of({1, 2});
  const Variable sources[] = {w};
  const GradientTape tape({.persistent = true});
  const Tensor targets[] = {w * 2, w * 3};
  tape.stop();
  EXPECT_THAT(tape.gradient(targets, sources)[0].to_vector(), ElementsAre(5, 5));
  const Tensor seeds[] = {row({1, 10}), Tensor()};
  EXPECT_THAT(tape.gradient(targets, sources, seeds)[0].to_vector(), ElementsAre(5, 23));
  const Tensor few[] = {row({1, 10})};
  EXPECT_THAT([&] { tape.gradient(targets, sources, few); },
              ThrowsMessage<InvalidArgument>(HasSubstr("each of 2 targets, found 1")));
  const Tensor wrong[] = {row({1}), Tensor()};
  EXPECT_THAT([&] { tape.gradient(targets, sources, wrong); },
              ThrowsMessage<InvalidArgument>(HasSubstr("output gradient is float32 (1,)")));
}

TEST(StoppedTape, NestedTapesGiveSecondDerivatives) {
  const Variable w = weights_of({3});
  const Variable sources[] = {w};
  const GradientTape outer;
  const GradientTape inner;
  const Tensor cube = sum(w * w * w);
  inner.stop();
  EXPECT_EQ(cube.item(), 27);
  const Tensor slope = inner.gradient(cube, sources)[0];
  EXPECT_EQ(slope.item(), 27);
  outer.stop();
  EXPECT_EQ(outer.gradient(slope, sources)[0].item(), 18);
}

TEST(StoppedTape, TakesAVariableAsItWasReadWhateverWasAssignedSince) {
  Variable w = weights_of({3});
  const Variable sources[] = {w};
  const GradientTape tape({.persistent = true});
  const Tensor loss = sum(w * w);
  tape.stop();
  w.assign(w + 1);
  EXPECT_EQ(tape.gradient(loss, sources)[0].item(), 6) << "the assignment is pending";
  evaluate({});
  EXPECT_EQ(w.value().item(), 4);
  EXPECT_EQ(tape.gradient(loss, sources)[0].item(), 6) << "the assignment is made";
}

TEST(StoppedTape, TakesAVariableThatWasAssignedAndReadBeforeItsStep) {
  Variable w = weights_of({3});
  const Variable sources[] = {w};
  const GradientTape open;  // so that the next tape does not end the step
  w.assign(w * 2);
  const GradientTape before({.persistent = true});
  const Tensor loss = sum(w * w);
  EXPECT_EQ(before.gradient(loss, sources)[0].item(), 12);
  EXPECT_EQ(loss.item(), 36) << "now the assignment is made";
  EXPECT_EQ(before.gradient(loss, sources)[0].item(), 12);
}

TEST(StoppedTape, AVariableDoesNotDependOnWhatItWas) {
  Variable w = weights_of({3});
  const Variable sources[] = {w};
  const GradientTape tape({.persistent = true});
  w.assign(w * 2);
  const Tensor loss = sum(w * w);
  EXPECT_EQ(tape.gradient(loss, sources)[0].item(), 12);
  evaluate({});
  EXPECT_EQ(tape.gradient(loss, sources)[0].item(), 12);
}

// Steps of a loop; what each of them leaves behind.
int64_t nodes_after_steps(Variable& w, int steps) {
  const Variable sources[] = {w};
  for (int i = 0; i < steps; ++i) {
    const GradientTape tape;
    const Tensor loss = sum(square(w - 1));
    tape.stop();
    loss.item();
    w.assign(w - tape.gradient(loss, sources)[0] * 0.1);
    evaluate({});
  }
  return Context::current().live_node_count();
}

TEST(StoppedTape, APersistentTapeThatStaysDoesNotMakeALaterLoopGrow) {
  Variable w = weights_of({5, 6});
  const Variable sources[] = {w};
  const GradientTape kept({.persistent = true});
  const Tensor loss = sum(w * w);
  kept.stop();
  const int64_t few = nodes_after_steps(w, 3);
  EXPECT_EQ(nodes_after_steps(w, 50), few);
  const Tensor running = w * 2;
  running.data();
  EXPECT_FALSE(has_history(running));
  EXPECT_THAT(kept.gradient(loss, sources)[0].to_vector(), ElementsAre(10, 12));
}

TEST(StoppedTape, IsDestroyedOnAnyThread) {
  const Variable w = weights_of({3});
  auto tape = std::make_unique<GradientTape>();
  const Tensor loss = sum(w * w);
  loss.item();
  EXPECT_TRUE(has_history(loss));
  std::async(std::launch::async, [&] { tape.reset(); }).get();
  EXPECT_FALSE(GradientTape::recording());
  evaluate({});
  EXPECT_FALSE(has_history(loss)) << "its own thread drops it at the next evaluation";
}

TEST(StoppedTape, OutlivesItsThread) {
  std::unique_ptr<GradientTape> tape;
  std::async(std::launch::async, [&] { tape = std::make_unique<GradientTape>(); }).get();
  const Variable w = weights_of({3});
  const Variable sources[] = {w};
  const Tensor loss = sum(w * w);
  EXPECT_THAT([&] { tape->gradient(loss, sources); },
              ThrowsMessage<InvalidArgument>(HasSubstr("another thread")));
}

}  // namespace
}  // namespace plimsoll
