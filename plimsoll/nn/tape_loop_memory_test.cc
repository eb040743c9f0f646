// A training loop written by hand keeps to the memory it is given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/memory_budget.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/memory/arena.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/losses/loss.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/ops/ops.h"
#include "tests/support/sanitizer.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kBatch = 8192, kUnits = 64;

class TapeLoopMemory : public testing::Test {
 protected:
  TapeLoopMemory() {
    reset_names();
    set_random_seed(5);
    clear_step_cache();
    x_ = constant(Initializer("random_normal").values({kBatch, kUnits}, 1, "x"), {kBatch, kUnits});
    std::vector<Layer> layers;
    for (int i = 0; i < 12; ++i) layers.push_back(Dense({.units = kUnits, .activation = "tanh"}));
    model_ = std::make_unique<SequentialBody>(layers);
    (*model_)({x_}, {});
  }
  ~TapeLoopMemory() override {
    set_memory_limit("");
    clear_step_cache();
  }

  void SetUp() override {
    if (is_sanitized()) GTEST_SKIP() << "freed memory is not given back";
  }

  // The weights after so many steps from the same beginning.
  std::vector<std::vector<float>> train(int steps) {
    for (size_t i = 0; i < model_->weights().size(); ++i) {
      Variable weight = model_->weights()[i];
      if (start_.size() <= i) start_.push_back(weight.value().to_vector());
      weight.set(start_[i]);
    }
    for (int i = 0; i < steps; ++i) step();
    std::vector<std::vector<float>> weights;
    for (const Variable& weight : model_->weights()) weights.push_back(weight.value().to_vector());
    return weights;
  }

  double step() {
    const GradientTape tape;
    const Tensor loss = loss_(x_, (*model_)({x_}, {.training = true})[0]);
    const Variables weights = model_->trainable_variables();
    optimizer_.apply_gradients(tape.gradient(loss, weights), weights);
    const double value = loss.item();
    largest_ = std::max(largest_, process_memory().resident_bytes);
    return value;
  }

  // What the process holds when no step does.
  static int64_t standing() {
    clear_step_cache();
    malloc_trim(0);
    return process_memory().resident_bytes;
  }

  Tensor x_;
  std::unique_ptr<SequentialBody> model_;
  const Loss loss_ = "mse";
  const SGD optimizer_{{.learning_rate = 0.05}};
  std::vector<std::vector<float>> start_;
  int64_t largest_ = 0;  // that a step's end has seen
};

TEST_F(TapeLoopMemory, ComputesTheSameBitsInLessMemory) {
  const auto plain = train(3);
  const int64_t arena = Arena::shared()->bytes();
  ASSERT_GT(arena, 24 * kMiB);
  const int64_t limit = standing() + arena * 2 / 3;
  set_memory_limit(std::to_string(limit));
  largest_ = 0;
  EXPECT_EQ(train(3), plain);
  EXPECT_LT(Arena::shared()->bytes(), arena);
  EXPECT_LE(largest_, limit);
}

TEST_F(TapeLoopMemory, CompilesTheStepOfALimitOnce) {
  train(1);
  set_memory_limit(std::to_string(standing() + 40 * kMiB));
  train(2);
  const int64_t compiled = step_cache_counts().compiled;
  train(3);
  EXPECT_EQ(step_cache_counts().compiled, compiled);
  set_memory_limit("");
  train(1);
  EXPECT_GT(step_cache_counts().compiled, compiled) << "the limit is gone, its step stayed";
}

TEST_F(TapeLoopMemory, RefusesAStepThatCannotBeHeldToTheLimit) {
  const auto before = train(1);
  const int64_t limit = standing() + 3 * kMiB;
  set_memory_limit(std::to_string(limit));
  const std::string file = "tape_loop_memory_test.cc:";
  EXPECT_THAT([&] { step(); },
              ThrowsMessage<DoesNotFit>(AllOf(
                  HasSubstr("step: "), HasSubstr("the budget is "), HasSubstr("(set_memory_limit)"),
                  HasSubstr("it can be done in "), HasSubstr("tensors are held most by "),
                  HasSubstr(file), HasSubstr("2.0 MiB in "))));
  set_memory_limit("");
  std::vector<std::vector<float>> after;
  for (const Variable& weight : model_->weights()) after.push_back(weight.value().to_vector());
  EXPECT_EQ(after, before) << "a weight was changed by a step that did not run";
  EXPECT_GT(step(), 0);
}

// The output of one step, held by the cache alone, makes room for the next.
TEST_F(TapeLoopMemory, DropsWhatOtherStepsHoldBeforeItRefuses) {
  train(1);
  const int64_t arena = Arena::shared()->bytes();
  set_memory_limit(std::to_string(standing() + arena + 24 * kMiB));
  concatenate(Tensors(20, x_), 0).data();
  EXPECT_GT(step(), 0);
  EXPECT_LE(process_memory().resident_bytes, *memory_limit());
}

}  // namespace
}  // namespace plimsoll
