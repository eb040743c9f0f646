#include "plimsoll/nn/layers/activation_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/layers/activation_layers.h"
#include "plimsoll/nn/layers/dense.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Tensor& row() {
  static const Tensor x = constant(std::vector<float>{-4, 2}, {1, 2});
  return x;
}

Layer dense_with(ActivationOption activation) {
  return Dense({.units = 2, .activation = std::move(activation), .kernel_initializer = "identity"});
}

TEST(ActivationOption, IsAFunctionByName) {
  EXPECT_EQ(dense_with("relu")(row()).to_vector(), (std::vector<float>{0, 2}));
  EXPECT_THAT([] { dense_with("relux"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("'relux' is not known")));
}

TEST(ActivationOption, IsALayerWhoseWeightsBelongToTheOther) {
  const Layer layer = dense_with(PReLU({.alpha_initializer = "ones"}));
  EXPECT_EQ(layer(row()).to_vector(), (std::vector<float>{-4, 2}));
  EXPECT_EQ(layer->trainable_variables().size(), 3u);
}

TEST(ActivationOption, IsWrittenAndReadAsKerasDoes) {
  const Json json = layer_to_json(*dense_with(LeakyReLU({.negative_slope = 0.5})));
  EXPECT_EQ(json["config"]["activation"]["class_name"], "LeakyReLU");
  const Layer again = layer_from_json(json);
  EXPECT_EQ(again(row()).to_vector(), (std::vector<float>{-2, 2}));
  EXPECT_EQ(layer_to_json(*again), json);
}

}  // namespace
}  // namespace plimsoll
