// A training loop written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/engine/memory/loop_watch.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/layers/batch_normalization.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/dropout.h"
#include "plimsoll/nn/losses/loss.h"
#include "plimsoll/nn/metrics/accuracy.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/nn/optimizers/adam.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

constexpr int64_t kBatch = 32, kFeatures = 12;

// Two classes, by the sign of the first feature.
struct Batch {
  explicit Batch(int64_t step) {
    const std::vector<float> values =
        Initializer("random_normal").values({kBatch, kFeatures}, step, "batch");
    std::vector<int32_t> classes;
    for (int64_t i = 0; i < kBatch; ++i)
      classes.push_back(values[static_cast<size_t>(i * kFeatures)] > 0);
    x = constant(values, {kBatch, kFeatures}) * 20;
    y = constant(classes, {kBatch});
  }
  Tensor x, y;
};

class TapeLoop : public ::testing::Test {
 protected:
  TapeLoop() {
    reset_names();
    set_random_seed(3);
  }

  double step(int64_t number) {
    const Batch batch(number);
    const GradientTape tape;
    const Tensor prediction = model_({batch.x}, {.training = true})[0];
    Tensor loss = loss_(batch.y, prediction);
    for (const Tensor& penalty : model_.losses()) loss = loss + penalty;
    accuracy_.update_state(batch.y, prediction);
    const Variables weights = model_.trainable_variables();
    optimizer_.apply_gradients(tape.gradient(loss, weights), weights);
    return loss.item();
  }

  SequentialBody model_{{Dense({.units = 16, .activation = "relu", .kernel_regularizer = "l2"}),
                         BatchNormalization(), Dropout({.rate = 0.1}),
                         Dense({.units = 2, .activation = "softmax"})}};
  const Loss loss_ = "sparse_categorical_crossentropy";
  const Metric accuracy_ = "accuracy";
  const Adam optimizer_{{.learning_rate = 0.01, .global_clipnorm = 1}};
};

TEST_F(TapeLoop, Learns) {
  const double first = step(0);
  for (int64_t i = 1; i < 200; ++i) step(i);
  accuracy_.reset_state();
  double last = 0;
  for (int64_t i = 200; i < 220; ++i) last += step(i) / 20;
  EXPECT_LT(last, first / 2);
  EXPECT_GT(accuracy_.result(), 0.9);
}

TEST_F(TapeLoop, CompilesItsStepOnce) {
  step(0);
  step(1);
  const int64_t compiled = step_cache_counts().compiled;
  for (int64_t i = 2; i < 8; ++i) step(i);
  EXPECT_EQ(step_cache_counts().compiled, compiled);
}

TEST_F(TapeLoop, KeepsNothing) {
  step(0);
  step(1);
  const int64_t nodes = Context::current().live_node_count();
  for (int64_t i = 2; i < 8; ++i) step(i);
  EXPECT_EQ(Context::current().live_node_count(), nodes);
  EXPECT_EQ(Context::current().pending_op_count(), 0);
}

// Seeds 002 and 004.
TEST_F(TapeLoop, NamesTheLineWhoseTensorsItKeeps) {
  LoopWatch::current() = {};
  std::vector<Finding> findings;
  set_finding_handler([&](const Finding& finding) { findings.push_back(finding); });
  const Batch batch(0);
  const Dense layer({.units = 2, .activation = "softmax"});
  const SGD optimizer;
  Tensors losses;
  const int line = __LINE__ + 3;
  for (int i = 0; i < 1100; ++i) {
    const GradientTape tape;
    losses.push_back(loss_(batch.y, layer(batch.x)));
    const Variables weights = layer->trainable_variables();
    optimizer.apply_gradients(tape.gradient(losses.back(), weights), weights);
  }
  set_finding_handler({});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].where, testing::EndsWith("tape_loop_test.cc:" + std::to_string(line)));
  EXPECT_THAT(findings[0].what, testing::StartsWith("holds 100"));
}

TEST_F(TapeLoop, RepeatsItselfBitForBit) {
  const auto run = [this] {
    std::vector<double> losses;
    for (int64_t i = 0; i < 5; ++i) losses.push_back(step(i));
    return losses;
  };
  std::vector<std::vector<float>> start;
  const Batch batch(0);
  model_({batch.x}, {});
  for (const Variable& weight : model_.weights()) start.push_back(weight.value().to_vector());
  const std::vector<double> once = run();
  set_random_seed(3);
  for (size_t i = 0; i < start.size(); ++i) Variable(model_.weights()[i]).set(start[i]);
  for (Variable variable : optimizer_->variables())
    if (variable.spec().dtype == DType::float32 && variable.shape().rank() > 0)
      variable.set(std::vector<float>(static_cast<size_t>(variable.shape().elements()), 0));
  const int64_t zero = 0;
  Variable(optimizer_->iterations()).set_bytes(std::as_bytes(std::span(&zero, 1)));
  EXPECT_EQ(run(), once);
}

}  // namespace
}  // namespace plimsoll
