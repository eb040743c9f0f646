#include "plimsoll/train/freeze.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/nn/nn.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using testing::message_of;

Sequential small_model() {
  return Sequential({InputLayer({.shape = {4}}), Dense({.units = 3, .name = "stem"}),
                     Dense({.units = 3, .name = "body_1"}), Dense({.units = 2, .name = "head"})});
}

TEST(FreezeLayers, TakesPatternsOfNames) {
  Sequential model = small_model();
  EXPECT_THAT(freeze_layers(model, "[sb]*"), ElementsAre("stem", "body_1"));
  EXPECT_EQ(model.trainable_variables().size(), 2u);
  EXPECT_THAT(freeze_layers(model, "head"), ElementsAre("head"));
  EXPECT_TRUE(model.trainable_variables().empty());
}

TEST(FreezeLayers, LooksIntoModelsInModels) {
  const Tensor x = Input({.shape = {4}});
  Sequential inner({InputLayer({.shape = {4}}), Dense({.units = 3, .name = "deep"})}, "inner");
  const Tensor y = Dense({.units = 1, .name = "head"})(inner(x));
  Model model({x}, {y});
  EXPECT_THAT(freeze_layers(model, "inner/*"), ElementsAre("inner/deep"));
  EXPECT_EQ(model.trainable_variables().size(), 2u);
}

TEST(FreezeLayers, NamesTheLayersWhereNoneFits) {
  Sequential model = small_model();
  EXPECT_EQ(message_of([&] { freeze_layers(model, "conv*"); }),
            model.name() + ": no layer is called 'conv*'; the layers are stem, body_1, head");
}

}  // namespace
}  // namespace plimsoll
