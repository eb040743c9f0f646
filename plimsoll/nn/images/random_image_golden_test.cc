// Layers that change images at random against real Keras, with bounds that leave nothing to chance.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/layer_config.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

TEST(RandomImageGolden, AgreesWithKeras) {
  for (const testing::GoldenCase& golden : testing::read_goldens("random_images")) {
    SCOPED_TRACE(golden.name());
    const Json config = Json::parse(golden.text("config"));
    const Layer layer = layer_from_json(config);
    EXPECT_EQ(layer_to_json(*layer), config) << layer_to_json(*layer).dump();
    const Tensor y = layer(golden.tensor("x"), {.training = golden.flag("training", false)});
    testing::expect_golden(golden, "y", y);
  }
}

}  // namespace
}  // namespace plimsoll
