#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Tensor vector_of(std::initializer_list<float> values) {
  return constant(std::span<const float>(values.begin(), values.size()),
                  {static_cast<int64_t>(values.size())});
}

Variable variable_of(std::initializer_list<float> values) {
  Variable variable("v", {DType::float32, {static_cast<int64_t>(values.size())}});
  variable.set({values.begin(), values.size()});
  return variable;
}

TEST(Evaluate, ComputesWhatIsAskedFor) {
  const Tensor x = vector_of({1, -2, 3});
  const Tensor y = relu(x * 2) + 1;
  EXPECT_THAT(y.to_vector(), ElementsAre(3, 1, 7));
  EXPECT_EQ(sum(y).item(), 11);
}

TEST(Evaluate, ReadsForeignBytesWhereTheyAre) {
  auto numbers = std::make_shared<std::vector<float>>(std::vector<float>{9, 1, 2, 3});
  const auto* bytes = reinterpret_cast<const std::byte*>(numbers->data() + 1);
  const std::weak_ptr<std::vector<float>> watched = numbers;
  Tensor x = wrap(std::make_shared<Storage>(bytes, 12, numbers), {DType::float32, {3}});
  numbers.reset();
  EXPECT_EQ(x.data(), bytes);
  EXPECT_THAT((x * 2).to_vector(), ElementsAre(2, 4, 6));
  x = {};
  EXPECT_TRUE(watched.expired()) << "a cached step holds no data of the caller";
}

TEST(Evaluate, CopiesForeignBytesThatAreNotAlignedToTheirElements) {
  const std::vector<float> values = {1, 2, 3};
  auto packed = std::make_shared<std::vector<std::byte>>(13);
  std::memcpy(packed->data() + 1, values.data(), 12);
  const Tensor x =
      wrap(std::make_shared<Storage>(packed->data() + 1, 12, packed), {DType::float32, {3}});
  EXPECT_NE(x.data(), packed->data() + 1);
  EXPECT_THAT((x + 1).to_vector(), ElementsAre(2, 3, 4));
}

TEST(Evaluate, ChainsReadEvaluatedTensors) {
  const Tensor y = vector_of({1, 2}) * 3;
  evaluate(std::span(&y, 1));
  EXPECT_THAT((y + 1).to_vector(), ElementsAre(4, 7));
  EXPECT_THAT(y.to_vector(), ElementsAre(3, 6));
}

TEST(Evaluate, AnOutputThatIsAViewOrALeafIsCopied) {
  const Tensor x = vector_of({1, 2, 3, 4}) + 0;
  const Tensor y = reshape(x, {2, 2});
  const Tensor both[] = {x, y};
  evaluate(both);
  EXPECT_THAT(x.to_vector(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(y.to_vector(), ElementsAre(1, 2, 3, 4));
}

TEST(Evaluate, FindsThePlanOfALoopAgain) {
  clear_step_cache();
  const int64_t compiled = step_cache_counts().compiled;
  for (int i = 0; i < 5; ++i) {
    const Tensor y = vector_of({1, 2}) * static_cast<double>(i);
    EXPECT_EQ(sum(y).item(), 3 * i);
  }
  EXPECT_EQ(step_cache_counts().compiled - compiled, 1);
}

TEST(Evaluate, AHeldOutputKeepsItsValueWhenThePlanRunsAgain) {
  std::vector<Tensor> kept;
  for (int i = 0; i < 3; ++i) {
    kept.push_back(vector_of({1, 2}) * static_cast<double>(i));
    kept.back().data();
  }
  EXPECT_THAT(kept[1].to_vector(), ElementsAre(1, 2));
  EXPECT_THAT(kept[2].to_vector(), ElementsAre(2, 4));
}

TEST(Evaluate, ComputesIntermediateValuesOnce) {
  Tensor x = vector_of({1});
  for (int i = 0; i < 60; ++i) x = x + x;  // 2^60 paths
  EXPECT_EQ(x.item(), 1152921504606846976.0);
}

TEST(Assignment, TakesEffectWhenSomethingIsEvaluated) {
  Variable v = variable_of({1, 2});
  v.assign(v * 10 + 1);
  EXPECT_THAT(v.value().to_vector(), ElementsAre(11, 21));
}

TEST(Assignment, OfTwoVariablesToEachOtherSwapsThem) {
  Variable a = variable_of({1}), b = variable_of({2});
  const Tensor old_a = a.value(), old_b = b.value();
  a.assign(old_b);
  b.assign(old_a);
  evaluate({});
  EXPECT_EQ(a.value().item(), 2);
  EXPECT_EQ(b.value().item(), 1);
  EXPECT_EQ(old_a.item(), 1);
}

TEST(Assignment, ReadsOfTheOldValueSeeTheOldValue) {
  Variable v = variable_of({1, 2});
  const Tensor before = v * 1, double_before = v * 2;
  v.assign(v + 100);
  EXPECT_THAT(double_before.to_vector(), ElementsAre(2, 4));
  EXPECT_THAT(v.value().to_vector(), ElementsAre(101, 102));
  EXPECT_THAT(before.to_vector(), ElementsAre(1, 2)) << "held when the variable was written";
}

TEST(Assignment, TwiceBeforeAnEvaluationBuildsOnTheFirst) {
  Variable v = variable_of({1});
  v.assign(v + 1);
  v.assign(v * 10);
  EXPECT_EQ(v.value().item(), 20);
}

TEST(Assignment, AValueHeldAcrossAWriteFromOutsideStays) {
  Variable v = variable_of({5});
  const Tensor held = v.value(), pending = v * 2;
  v.set(std::vector<float>{7});
  EXPECT_EQ(held.item(), 5);
  EXPECT_EQ(pending.item(), 10);
  EXPECT_EQ(v.value().item(), 7);
}

TEST(Assignment, DoesNotHappenWhenAGateIsClosed) {
  Variable v = variable_of({1});
  gate_commit(less(scalar(2), scalar(1)));
  v.assign(v + 1);
  EXPECT_THROW(evaluate({}), NotFinite);
  EXPECT_EQ(v.value().item(), 1);
}

TEST(Assignment, RefusesAnotherShape) {
  Variable v = variable_of({1, 2});
  EXPECT_THAT([&] { v.assign(vector_of({1})); },
              ThrowsMessage<InvalidArgument>(HasSubstr("variable v is float32 (2,)")));
}

TEST(Pending, ALoopThatNeverAsksForAValueIsEvaluatedByItself) {
  Variable v = variable_of({0});
  for (int i = 0; i < 500; ++i) {
    v.assign(v + 1);
    evaluate_if_overgrown(100);
    EXPECT_LE(Context::current().pending_op_count(), 102);
  }
  EXPECT_EQ(v.value().item(), 500);
}

TEST(Pending, CountsLiveTensorsByTheLineThatMadeThem) {
  std::vector<Tensor> kept;
  const unsigned line = __LINE__ + 1;
  for (int i = 0; i < 7; ++i) kept.push_back(vector_of({1, 2, 3}) + 1);
  kept[0].data();
  for (const LiveTensors& live : live_tensors())
    if (live.line == line) {
      EXPECT_EQ(live.count, 7);
      // One value, and for each of the others the vector and the number it will be made of.
      EXPECT_EQ(live.bytes, 12 + 6 * (12 + 4));
      return;
    }
  FAIL() << "no line " << line;
}

TEST(Graph, RefusesIllegalShapesNamingOpShapesAndLine) {
  const Tensor a = vector_of({1, 2}), b = vector_of({1, 2, 3});
  const std::string line = std::to_string(__LINE__ + 1);
  EXPECT_THAT([&] { a + b; }, ThrowsMessage<InvalidArgument>(testing::AllOf(
                                  HasSubstr("add"), HasSubstr("float32 (2,)"),
                                  HasSubstr("float32 (3,)"), HasSubstr("evaluate_test.cc:"))));
}

TEST(Graph, FreesALongChainWithoutRecursion) {
  Tensor x = vector_of({0});
  for (int i = 0; i < 200000; ++i) x = x + 1;
  x = {};
  EXPECT_LT(Context::current().pending_op_count(), 100);
}

TEST(Tape, DifferentiatesAfterEvaluation) {
  Variable w = variable_of({2, 3});
  const GradientTape tape;
  const Tensor loss = sum(square(w.value()));
  EXPECT_EQ(loss.item(), 13);
  const Variable sources[] = {w};
  EXPECT_THAT(tape.gradient(loss, sources)[0].to_vector(), ElementsAre(4, 6));
}

TEST(Tape, AHandWrittenLoopTrains) {
  clear_step_cache();
  Variable w = variable_of({0, 0});
  const int64_t compiled = step_cache_counts().compiled;
  double last = 0;
  for (int step = 0; step < 100; ++step) {
    const GradientTape tape;
    const Tensor error = w - vector_of({1, -2});
    const Tensor loss = sum(square(error));
    const Variable sources[] = {w};
    const Tensors gradients = tape.gradient(loss, sources);
    w.assign(w - gradients[0] * 0.1);
    last = loss.item();
  }
  EXPECT_LT(last, 1e-6);
  EXPECT_NEAR(w.value().to_vector()[1], -2, 1e-4);
  EXPECT_EQ(step_cache_counts().compiled - compiled, 1);
}

TEST(Tape, EndsTheStepBeforeIt) {
  Variable w = variable_of({0});
  for (int step = 0; step < 20; ++step) {
    const GradientTape tape;
    EXPECT_EQ(Context::current().pending_op_count(), 0);
    const Variable sources[] = {w};
    w.assign(w - tape.gradient(sum(w * 2), sources)[0]);
  }
  EXPECT_EQ(w.value().item(), -40);
}

TEST(StepCache, HoldsNoVariableThatIsGone) {
  clear_step_cache();
  std::weak_ptr<VariableState> state;
  {
    Variable v = variable_of({1, 2});
    v.assign(v * 2);
    evaluate({});
    state = v.state();
  }
  EXPECT_TRUE(state.expired());
  Variable other = variable_of({3});  // its step drops the one of the first
  other.assign(other + 1);
  EXPECT_EQ(other.value().item(), 4);
}

TEST(Tape, SharedSubexpressionsAddTheirGradients) {
  Variable w = variable_of({3});
  const Tensor x = w.value();
  const Tensor y = x * x + x * 2;
  const Tensor sources[] = {x};
  EXPECT_EQ(gradients(sum(y), sources)[0].item(), 8);
}

TEST(Tape, WhatDoesNotDependHasNoGradient) {
  Variable w = variable_of({3}), other = variable_of({1});
  const GradientTape tape;
  const Variable sources[] = {other};
  EXPECT_FALSE(tape.gradient(sum(w * 2), sources)[0].defined());
}

}  // namespace
}  // namespace plimsoll
