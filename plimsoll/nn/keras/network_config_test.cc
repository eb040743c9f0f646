#include "plimsoll/nn/keras/network_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::plimsoll::testing::message_of;
using ::testing::HasSubstr;

// Reads what was written and writes that: nothing may change.
void expect_round_trip(const Network& network) {
  const Json once = network_to_json(network);
  const Json twice = network_to_json(*network_from_json(once));
  EXPECT_EQ(once.dump(1), twice.dump(1));
}

std::vector<std::string> weight_names(const Network& network) {
  std::vector<std::string> names;
  for (const Variable& weight : network.weights()) names.push_back(weight.name());
  return names;
}

class NetworkConfig : public ::testing::Test {
 protected:
  void SetUp() override { reset_names(); }
};

TEST_F(NetworkConfig, OfASequenceComesBack) {
  const SequentialBody network(
      {InputLayer({.shape = {8, 8, 3}}), Conv2D({.filters = 4, .kernel_size = 3}), Flatten(),
       Dense({.units = 2, .activation = "softmax", .kernel_regularizer = L2(0.1)})},
      "small");
  expect_round_trip(network);
  const auto again = network_from_json(network_to_json(network));
  EXPECT_EQ(again->name(), "small");
  EXPECT_EQ(weight_names(*again), weight_names(network));
  EXPECT_EQ(again->inputs()[0].spec.shape, network.inputs()[0].spec.shape);
}

TEST_F(NetworkConfig, OfSharedLayersAndManyEndsComesBack) {
  const Tensor a = Input({.shape = {4}, .name = "a"}), b = Input({.shape = {4}, .name = "b"});
  const Layer tower = Dense({.units = 3, .name = "tower"});
  const Tensor both = Concatenate()(Tensors{tower(a), tower(b)})[0];
  const FunctionalBody network({a, b}, {Dense({.units = 1, .name = "score"})(both), both});
  expect_round_trip(network);
  const auto again = network_from_json(network_to_json(network));
  EXPECT_EQ(weight_names(*again), weight_names(network));
  const Json json = network_to_json(*again);
  EXPECT_EQ(json["config"]["layers"][2]["inbound_nodes"].size(), 2U);
  EXPECT_EQ(again->outputs().size(), 2U);
}

TEST_F(NetworkConfig, KeepsHowALayerWasCalled) {
  const Tensor x = Input({.shape = {4}});
  const Layer base = BatchNormalization({.name = "base"});
  const FunctionalBody network({x}, {base(x, {.training = false})});
  expect_round_trip(network);
  const Json json = network_to_json(network);
  EXPECT_EQ(json["config"]["layers"][1]["inbound_nodes"][0]["kwargs"]["training"], false);
}

TEST_F(NetworkConfig, OfAFileTrainsByWhatTheModelDoesNotByWhatCallsNote) {
  const Tensor x = Input({.shape = {1}});
  const FunctionalBody network({x}, {BatchNormalization()(x, {.training = true})});
  const std::vector<float> values = {1, 3};
  const Tensor given = constant(values, {2, 1});
  // In inference statistics are 0 and 1 here; in training those of the batch.
  EXPECT_NEAR((*network_from_json(network_to_json(network)))({given}, {})[0].to_vector()[1], 3,
              0.1);
}

TEST_F(NetworkConfig, OfNestedModelsComesBack) {
  const Tensor inner_x = Input({.shape = {4}, .name = "inner_x"});
  const Layer inner(std::make_shared<FunctionalBody>(
      Tensors{inner_x}, Tensors{Dense({.units = 4, .name = "d"})(inner_x)}, "inner"));
  const Tensor x = Input({.shape = {4}, .name = "x"});
  const FunctionalBody network({x}, {inner(inner(x))}, "outer");
  expect_round_trip(network);
  EXPECT_EQ(network_to_json(network)["config"]["output_layers"], Json({"inner", 2, 0}));
}

TEST_F(NetworkConfig, KeepsTheFlagsOfFrozenLayers) {
  const Layer frozen = Dense({.units = 2, .name = "frozen", .trainable = false});
  const SequentialBody network(
      {InputLayer({.shape = {3}}), frozen, Dense({.units = 1, .name = "head"})});
  expect_round_trip(network);
  const auto again = network_from_json(network_to_json(network));
  EXPECT_EQ(again->trainable_variables().size(), 2U);
  EXPECT_EQ(again->trainable_variables()[0].name(), "sequential/head/kernel");
}

TEST_F(NetworkConfig, OfOpsBetweenLayersComesBack) {
  const Tensor x = Input({.shape = {4}, .name = "x"});
  const FunctionalBody network({x}, {relu(x + 3.0) * x});
  expect_round_trip(network);
  const auto again = network_from_json(network_to_json(network));
  const std::vector<float> values = {-4, -2, 0, 1};
  const Tensor given = constant(values, {1, 4});
  EXPECT_EQ((*again)({given}, {})[0].to_vector(), (std::vector<float>{-0, -2, 0, 4}));
}

TEST_F(NetworkConfig, ReadsTheFormOfKeras2) {
  const Json json = Json::parse(R"({"class_name": "Functional", "config": {"name": "old",
      "layers": [
        {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
         "config": {"batch_input_shape": [null, 3], "dtype": "float32", "sparse": false,
                    "ragged": false, "name": "x"}},
        {"class_name": "Dense", "name": "d", "inbound_nodes": [[["x", 0, 0, {}]]],
         "config": {"name": "d", "trainable": true, "dtype": "float32", "units": 2,
                    "activation": "relu", "use_bias": true,
                    "kernel_initializer": {"class_name": "GlorotUniform", "config": {"seed": null}},
                    "bias_initializer": {"class_name": "Zeros", "config": {}},
                    "kernel_regularizer": null, "activity_regularizer": null}},
        {"class_name": "Add", "name": "sum",
         "inbound_nodes": [[["d", 0, 0, {}], ["d", 0, 0, {}]]],
         "config": {"name": "sum", "trainable": true, "dtype": "float32"}}],
      "input_layers": [["x", 0, 0]], "output_layers": [["sum", 0, 0]]}})");
  const auto network = network_from_json(json);
  EXPECT_EQ(weight_names(*network), (std::vector<std::string>{"d/kernel", "d/bias"}));
}

TEST_F(NetworkConfig, RefusesWhatItDoesNotKnowByName) {
  const auto in_a_sequence = [](Json layer) {
    return Json{{"class_name", "Sequential"},
                {"config", {{"name", "m"}, {"layers", Json::array({std::move(layer)})}}}};
  };
  const auto message = [&](Json layer) {
    return message_of([&] { network_from_json(in_a_sequence(std::move(layer))); });
  };
  EXPECT_THAT(message({{"class_name", "MyLayer"}, {"config", {{"name", "mine"}}}}),
              HasSubstr("mine: the layer class 'MyLayer' is not known (known: "));
  EXPECT_THAT(message({{"class_name", "Lambda"}, {"config", {{"name", "code"}}}}),
              HasSubstr("code: a Lambda holds Python code"));
  EXPECT_THAT(message({{"class_name", "Dense"}, {"config", {{"name", "d"}, {"units", "many"}}}}),
              HasSubstr("d: units must be a whole number, found \"many\""));
  EXPECT_THAT(message({{"class_name", "Dense"},
                       {"config", {{"name", "d"}, {"units", 2}, {"sparsity", 0.5}}}}),
              HasSubstr("d: its config has sparsity = 0.5, which is not known"));
  EXPECT_THAT(message(3), HasSubstr("expected a name or an object"));
}

// A program may call a class of its own Dense.
TEST_F(NetworkConfig, RefusesAClassOfAProgramThatHasTheNameOfOneOfKeras) {
  const auto message = [](const char* module, const char* registered) {
    Json layer = {{"module", module},
                  {"class_name", "Dense"},
                  {"config", {{"name", "d"}, {"units", 3}}},
                  {"registered_name", registered}};
    if (layer["module"] == "") layer["module"] = nullptr;
    return message_of([&] { layer_from_json(layer); });
  };
  EXPECT_EQ(message("", "Custom>Dense"),
            "layer 'd': is of the class 'Custom>Dense', which is not one of Keras but code of a "
            "program, and code is never run (save it with classes of Keras alone)");
  EXPECT_THAT(message("my_layers", "my_layers>Dense"), HasSubstr("the class 'my_layers>Dense'"));
  EXPECT_THAT(message("my_layers", "Dense"), HasSubstr("the class 'my_layers.Dense'"));
  EXPECT_THAT(message("keras_hub.layers", "Dense"), HasSubstr("'keras_hub.layers.Dense'"));
  EXPECT_EQ(message("keras.layers", "Dense"), "no error");
  EXPECT_EQ(message("keras.src.layers.core.dense", "Custom>Dense"), "no error");
  EXPECT_EQ(message("", "Dense"), "no error");
}

TEST_F(NetworkConfig, RefusesCallsThatReadWhatIsNotThere) {
  const Tensor x = Input({.shape = {4}, .name = "x"});
  const FunctionalBody network({x}, {Dense({.units = 1, .name = "d"})(x)}, "m");
  const auto with_history = [&](Json history) {
    Json json = network_to_json(network);
    json["config"]["layers"][1]["inbound_nodes"][0]["args"][0]["config"]["keras_history"] =
        std::move(history);
    return message_of([&] { network_from_json(json); });
  };
  EXPECT_THAT(with_history({"y", 0, 0}), HasSubstr("'y', which is not among the layers"));
  EXPECT_THAT(with_history({"d", 0, 0}), HasSubstr("form a loop"));
  EXPECT_THAT(with_history({"x", 0, 7}), HasSubstr("reads output 7 of 'x', which has 1"));
  EXPECT_THAT(with_history("x"), HasSubstr("has no keras_history"));
}

TEST_F(NetworkConfig, NotesAPolicyThatIsReadAsFloat32) {
  take_config_notes();
  const SequentialBody network({InputLayer({.shape = {3}}), Dense({.units = 1})});
  Json json = network_to_json(network);
  json["config"]["layers"][1]["config"]["dtype"] = {{"class_name", "DTypePolicy"},
                                                    {"config", {{"name", "mixed_float16"}}}};
  network_from_json(json);
  EXPECT_EQ(take_config_notes(),
            (std::vector<std::string>{"the dtype policy mixed_float16 is read as float32"}));
  EXPECT_TRUE(take_config_notes().empty());
}

}  // namespace
}  // namespace plimsoll
