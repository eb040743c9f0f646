#include "plimsoll/nn/networks/feature_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/ops/text/text.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::plimsoll::testing::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

FeatureSpaceOptions passengers() {
  FeatureSpaceOptions options;
  options.features = {
      {.name = "port",
       .dtype = DType::string,
       .preprocessor = StringLookup({.vocabulary = {"S", "C"}, .name = "port_preprocessor"}),
       .output_mode = "one_hot"},
      {.name = "fare",
       .preprocessor = Rescaling({.scale = 0.5, .name = "fare_preprocessor"}),
       .output_mode = "float"},
      {.name = "deck",
       .dtype = DType::string,
       .preprocessor = StringLookup({.vocabulary = {"a"}, .name = "deck_preprocessor"}),
       .output_mode = "one_hot"},
  };
  options.name = "passengers";
  return options;
}

Tensors rows() {
  return {texts(std::vector<std::string>{"C", "?"}, {2, 1}),
          constant(std::vector<float>{3, 5}, {2, 1}),
          texts(std::vector<std::string>{"a", "b"}, {2, 1})};
}

std::vector<std::string> names_of(const Ports& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.name);
  return names;
}

TEST(FeatureSpace, PutsEncodedFeaturesTogetherInTheOrderOfTheirNames) {
  const Layer space(std::make_shared<FeatureSpaceBody>(passengers()));
  const Tensors outputs = space(rows());
  ASSERT_EQ(outputs.size(), 1u);
  // deck (unknown, a), fare, port (unknown, S, C)
  EXPECT_THAT(outputs[0].to_vector(), ElementsAre(0, 1, 1.5f, 0, 0, 1, 1, 0, 2.5f, 1, 0, 0));
}

TEST(FeatureSpace, NumbersTheLayersOfItsFileInTheOrderOfTheFeatures) {
  FeatureSpaceOptions options = passengers();
  options.crosses = {{.feature_names = {"port", "deck"}, .crossing_dim = 4}};
  std::vector<std::string> attributes;
  for (const auto& child : FeatureSpaceBody(options).children())
    attributes.push_back(child.attribute);
  EXPECT_THAT(attributes, ElementsAre("preprocessors/string_lookup", "preprocessors/rescaling",
                                      "preprocessors/string_lookup_1", "crossers/hashed_crossing"));
}

TEST(FeatureSpace, GivesEachFeatureByItsName) {
  FeatureSpaceOptions options = passengers();
  options.output_mode = "dict";
  options.features[0].output_mode = "int";
  options.crosses = {{.feature_names = {"port", "deck"}, .crossing_dim = 4, .output_mode = "int"}};
  const auto space = std::make_shared<FeatureSpaceBody>(options);
  EXPECT_THAT(names_of(space->inputs()), ElementsAre("port", "fare", "deck"));
  EXPECT_THAT(names_of(space->outputs()), ElementsAre("deck", "fare", "port", "port_X_deck"));
  EXPECT_EQ(space->outputs()[2].spec.dtype, DType::int64);
}

TEST(FeatureSpace, ComesBackFromItsConfig) {
  FeatureSpaceOptions options = passengers();
  options.crosses = {{.feature_names = {"port", "deck"}, .crossing_dim = 4}};
  options.hashing_dim = 7;
  const FeatureSpaceBody space(options);
  const Json once = network_to_json(space);
  EXPECT_EQ(once["class_name"], "FeatureSpace");
  const auto again = network_from_json(once);
  EXPECT_EQ(network_to_json(*again).dump(1), once.dump(1));
  const Tensor expected = Layer(std::make_shared<FeatureSpaceBody>(options))(rows())[0];
  EXPECT_EQ(Layer(again)(rows())[0].to_vector(), expected.to_vector());
}

TEST(FeatureSpace, RefusesWhatKerasRefuses) {
  const auto message = [](const FeatureSpaceOptions& options) {
    return message_of([&] { FeatureSpaceBody space(options); });
  };
  FeatureSpaceOptions whole = passengers();
  whole.features[0].output_mode = "int";
  EXPECT_THAT(message(whole), HasSubstr("passengers: 'port' is int64 and cannot be part of a "
                                        "vector; give it the output_mode one_hot"));
  FeatureSpaceOptions real = passengers();
  real.features[1].output_mode = "one_hot";
  EXPECT_THAT(message(real), HasSubstr("'fare' has the output_mode one_hot, but its Rescaling"));
  FeatureSpaceOptions unknown = passengers();
  unknown.crosses = {{.feature_names = {"port", "cabin"}}};
  EXPECT_THAT(message(unknown), HasSubstr("crosses 'cabin', which is not among its features"));
  EXPECT_THAT(message({.name = "empty"}), HasSubstr("has no features"));
}

}  // namespace
}  // namespace plimsoll
