#include "plimsoll/train/steps/model_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll {
namespace {

using ::testing::IsEmpty;

struct Case {
  const char* name;
  std::shared_ptr<Network> (*make)();
  Specs fields;
};

// Convolutions, batch statistics, dropout and a sum over a branch.
std::shared_ptr<Network> residual() {
  const Tensor in = Input({.shape = {12, 12, 3}});
  Tensor x = in;
  for (int i = 0; i < 3; ++i) {
    Tensor y = Conv2D({.filters = 8, .kernel_size = 3, .padding = "same"})(x);
    y = Activation({.activation = "relu"})(BatchNormalization()(y));
    y = Dropout({.rate = 0.2})(y);
    x = i == 0 ? y : x + y;
  }
  x = Dense({.units = 4, .activation = "softmax"})(GlobalAveragePooling2D()(x));
  return std::make_shared<FunctionalBody>(Tensors{in}, Tensors{x});
}

std::shared_ptr<Network> recurrent() {
  return std::make_shared<SequentialBody>(Layers{
      InputLayer({.shape = {9, 5}}), LSTM({.units = 6, .return_sequences = true}),
      LayerNormalization(), GRU({.units = 7}), Dense({.units = 4, .activation = "softmax"})});
}

std::shared_ptr<Network> encoder() {
  const Tensor in = Input({.shape = {7, 8}});
  Tensor x = in;
  for (int i = 0; i < 2; ++i) {
    x = LayerNormalization()(
        x + MultiHeadAttention({.num_heads = 2, .key_dim = 4, .dropout = 0.1})(Tensors{x, x})[0]);
    x = x + Dense({.units = 8})(Dense({.units = 24, .activation = "gelu"})(x));
  }
  x = Dense({.units = 4, .activation = "softmax"})(GlobalAveragePooling1D()(x));
  return std::make_shared<FunctionalBody>(Tensors{in}, Tensors{x});
}

struct Outcome {
  std::vector<float> weights;
  int64_t arena_bytes = 0;
  int64_t recomputed = 0;
};

// Three steps of Adam on the same numbers.
Outcome train(const Case& it, const Saving& saving) {
  constexpr int64_t kBatch = 6;
  reset_names();
  set_random_seed(1);
  const std::shared_ptr<Network> network = it.make();
  ModelSteps steps(network, {.optimizer = Adam({.learning_rate = 0.01}),
                             .loss = "sparse_categorical_crossentropy"});
  const StepPtr step =
      steps.compile(StepKind::train, steps.fields_of(it.fields, {}), kBatch, saving).parts.large;
  std::vector<float> x(static_cast<size_t>(it.fields[0].shape.elements() * kBatch));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7 % 23) / 11 - 1;
  const std::vector<int32_t> y = {0, 1, 2, 3, 1, 0};
  step->bind_input(0, reinterpret_cast<const std::byte*>(x.data()));
  step->bind_input(1, reinterpret_cast<const std::byte*>(y.data()));
  EXPECT_THAT(plan::validate_plan(step->problem(), step->plan()), IsEmpty());
  for (int i = 0; i < 3; ++i) step->run();
  Outcome run{{}, step->memory().arena_bytes, step->memory().saving.recomputed};
  for (const Variable& weight : network->weights()) {
    const std::vector<float> values = weight.value().to_vector();
    run.weights.insert(run.weights.end(), values.begin(), values.end());
  }
  return run;
}

TEST(ModelSteps, OfSequencesInPartsAreTheSameButForRounding) {
  const Case it = {"recurrent", recurrent, {{DType::float32, {9, 5}}, {DType::int32, {1}}}};
  const Outcome plain = train(it, {});
  for (const int parts : {2, 4, 100}) {
    const Outcome run = train(it, {.sequence_parts = parts});
    ASSERT_EQ(run.weights.size(), plain.weights.size());
    for (size_t i = 0; i < plain.weights.size(); ++i)
      EXPECT_NEAR(run.weights[i], plain.weights[i], 1e-5) << parts;
  }
}

TEST(ModelSteps, AreTheSameBitForBitWhereWeightsAreUpdatedEarly) {
  const Case it = {"residual", residual, {{DType::float32, {12, 12, 3}}, {DType::int32, {1}}}};
  const Outcome plain = train(it, {});
  for (const double share : {1.0, 0.8, 0.6}) {
    const auto budget = static_cast<int64_t>(share * static_cast<double>(plain.arena_bytes));
    const Outcome run = train(it, {.arena_budget = budget, .early_updates = true});
    EXPECT_LE(run.arena_bytes, budget);
    ASSERT_EQ(run.weights.size(), plain.weights.size());
    EXPECT_EQ(
        std::memcmp(run.weights.data(), plain.weights.data(), plain.weights.size() * sizeof(float)),
        0);
  }
}

// Most of the step's memory is gradients.
TEST(ModelSteps, KeepNoGradientThatIsUsed) {
  const auto wide = [] {
    std::vector<Layer> layers = {InputLayer({.shape = {64}})};
    for (int i = 0; i < 6; ++i) layers.push_back(Dense({.units = 64, .activation = "relu"}));
    layers.push_back(Dense({.units = 4, .activation = "softmax"}));
    return std::shared_ptr<Network>(std::make_shared<SequentialBody>(layers));
  };
  const Case it = {"wide", wide, {{DType::float32, {64}}, {DType::int32, {1}}}};
  const Outcome plain = train(it, {}), early = train(it, {.early_updates = true});
  EXPECT_LT(early.arena_bytes * 2, plain.arena_bytes);
  EXPECT_EQ(early.weights, plain.weights);
}

TEST(ModelSteps, AreTheSameBitForBitInFewerBytes) {
  const Case cases[] = {
      {"residual", residual, {{DType::float32, {12, 12, 3}}, {DType::int32, {1}}}},
      {"recurrent", recurrent, {{DType::float32, {9, 5}}, {DType::int32, {1}}}},
      {"encoder", encoder, {{DType::float32, {7, 8}}, {DType::int32, {1}}}},
  };
  for (const Case& it : cases) {
    const Outcome plain = train(it, {});
    int64_t recomputed = 0;
    for (const double share : {0.95, 0.85, 0.75, 0.65, 0.55}) {
      SCOPED_TRACE(std::string(it.name) + " in " + std::to_string(share));
      const auto budget = static_cast<int64_t>(share * static_cast<double>(plain.arena_bytes));
      const Outcome run = train(it, {.arena_budget = budget});
      if (run.arena_bytes > budget) break;  // it does not fit
      recomputed += run.recomputed;
      ASSERT_EQ(run.weights.size(), plain.weights.size());
      EXPECT_EQ(std::memcmp(run.weights.data(), plain.weights.data(),
                            plain.weights.size() * sizeof(float)),
                0);
    }
    EXPECT_GT(recomputed, 0) << it.name;
  }
}

}  // namespace
}  // namespace plimsoll
