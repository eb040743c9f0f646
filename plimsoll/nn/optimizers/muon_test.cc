#include "plimsoll/nn/optimizers/muon.h"

#include <gtest/gtest.h>

#include "plimsoll/nn/optimizers/adam.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::message_of;

Variable matrix(const std::string& name) {
  Variable weight(name, {DType::float32, {2, 3}});
  weight.set(std::vector<float>{0.5f, -1, 2, 1, 0.25f, -0.75f});
  return weight;
}

std::vector<float> after_steps(const Optimizer& optimizer, const Variable& weight) {
  for (const float size : {1.0f, 0.5f})
    optimizer.apply_gradients({constant(std::vector<float>{size, 2, -1, 0.5f, -2, size}, {2, 3})},
                              {weight});
  return weight.value().to_vector();
}

TEST(Muon, MovesAMatrixByRowsOfEvenLengthAtRightAngles) {
  const Variable weight = matrix("dense/kernel");
  const std::vector<float> before = weight.value().to_vector();
  const Muon muon({.learning_rate = 1, .weight_decay = {}, .momentum = 0, .rms_rate = {}});
  muon.apply_gradients({constant(std::vector<float>{4, 1, 0, -1, 3, 1}, {2, 3})}, {weight});
  const std::vector<float> after = weight.value().to_vector();
  double first = 0, second = 0, both = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double a = before[i] - after[i], b = before[i + 3] - after[i + 3];
    first += a * a;
    second += b * b;
    both += a * b;
  }
  EXPECT_NEAR(first, 1, 0.5);
  EXPECT_NEAR(second, 1, 0.5);
  EXPECT_NEAR(both, 0, 0.1);
}

TEST(Muon, MovesEmbeddingsAndExcludedLayersAsAdamWDoes) {
  const std::vector<float> expected = after_steps(AdamW(), matrix("head/kernel"));
  EXPECT_EQ(after_steps(Muon(), matrix("Embedding_1/embeddings")), expected);
  EXPECT_EQ(after_steps(Muon({.exclude_layers = {"^head/"}}), matrix("head/kernel")), expected);
  EXPECT_NE(after_steps(Muon(), matrix("head/kernel")), expected);
  EXPECT_NE(after_steps(Muon({.exclude_layers = {"^ead/"}}), matrix("head/kernel")), expected);
}

TEST(Muon, KeepsOneSlotForAMatrixAndTwoForOtherWeights) {
  const Variable kernel = matrix("dense/kernel"), bias("dense/bias", {DType::float32, {6}});
  const Muon muon({.name = "muon"});
  muon->build({kernel, bias});
  EXPECT_EQ(muon->state_bytes(kernel), kernel.spec().bytes());
  EXPECT_EQ(muon->state_bytes(bias), 2 * bias.spec().bytes());
  std::vector<std::string> names;
  for (const Variable& variable : muon->variables()) names.push_back(variable.name());
  EXPECT_EQ(names, (std::vector<std::string>{
                       "muon/iteration", "muon/learning_rate", "muon/dense_kernel_momentum",
                       "muon/dense_bias_momentum", "muon/dense_bias_velocity"}));
}

TEST(Muon, RefusesWhatCannotWork) {
  EXPECT_EQ(message_of([] { Muon({.name = "muon", .ns_steps = -1}); }),
            "muon: ns_steps must be between 0 and 100, found -1");
  EXPECT_EQ(message_of([] { Muon({.name = "muon", .exclude_layers = {"(("}}); }),
            "muon: exclude_layers has '((', which is not a regular expression of at most 200 "
            "characters");
}

}  // namespace
}  // namespace plimsoll
