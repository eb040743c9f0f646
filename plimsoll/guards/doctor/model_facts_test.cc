#include "plimsoll/guards/doctor/model_facts.h"

#include <gtest/gtest.h>

#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

std::vector<LayerFacts> facts_of(const std::vector<Layer>& layers, const Shape& shape) {
  Tensors x = {Input({.shape = shape})};
  const Tensors inputs = x;
  for (const Layer& layer : layers) x = layer(x);
  const Model model(inputs, x);
  return model_facts(model.network(), {}, {}).layers;
}

TEST(ModelFacts, GoByWhatALayerSaysOfItself) {
  const std::vector<LayerFacts> facts = facts_of(
      {Normalization({.mean = {{0.0}}, .variance = {{1.0}}}), Dense({.units = 3}),
       BatchNormalization(), ReLU(), Activation({.activation = "linear"}), Dropout({.rate = 0.5})},
      {1});
  ASSERT_EQ(facts.size(), 7u);
  EXPECT_TRUE(facts[1].normalizes);
  EXPECT_FALSE(facts[1].normalizes_batch);
  EXPECT_TRUE(facts[2].is_product);
  EXPECT_TRUE(facts[3].normalizes_batch);
  EXPECT_TRUE(facts[3].is_linear);
  EXPECT_TRUE(facts[4].is_activation);
  EXPECT_FALSE(facts[4].is_linear);
  EXPECT_TRUE(facts[5].is_linear);
  EXPECT_EQ(facts[6].dropout, 0.5);
}

TEST(ModelFacts, LookIntoLayersThatWrapOthers) {
  const Layer inner = SpectralNormalization({.layer = Dense({.units = 3, .activation = "relu"})});
  const std::vector<LayerFacts> facts = facts_of({TimeDistributed({.layer = inner})}, {4, 2});
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(facts[1].kind, "Dense");
  EXPECT_EQ(facts[1].activation, "relu");
  EXPECT_TRUE(facts[1].is_product);
}

}  // namespace
}  // namespace plimsoll
