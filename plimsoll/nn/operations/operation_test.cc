#include "plimsoll/nn/operations/operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/layers/layer_call.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/operations/operation_list.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

DType dtype_of(const std::string& name) {
  for (const DType dtype :
       {DType::float32, DType::int32, DType::int64, DType::uint8, DType::boolean})
    if (name_of(dtype) == name) return dtype;
  throw std::runtime_error("no dtype is called " + name);
}

Layer operation_in(const GoldenCase& golden) {
  return operation_from_json(Json::parse(golden.text("operation")),
                             Json::parse(golden.text("node")));
}

Tensors inputs_of(const GoldenCase& golden) {
  Tensors inputs;
  for (int i = 0; i < golden.number("inputs", 0); ++i) {
    const std::string name = "x" + std::to_string(i);
    const DType dtype = dtype_of(golden.text("dtype." + name));
    const Tensor value = golden.tensor(name);
    inputs.push_back(value.dtype() == dtype ? value : cast(value, dtype));
  }
  return inputs;
}

void check(const GoldenCase& golden) {
  const Layer operation = operation_in(golden);
  const Tensors inputs = inputs_of(golden);
  ASSERT_EQ(operation->input_count(), static_cast<int>(inputs.size()));
  const Tensor y = operation(inputs)[static_cast<size_t>(golden.number("output", 0))];
  EXPECT_EQ(name_of(y.dtype()), golden.text("dtype"));
  if (!golden.has_tensor("dy")) return expect_golden(golden, "y", as_float(y));
  Tensors results = gradients(sum(y * golden.tensor("dy")), inputs);
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].defined()) results[i] = as_float(inputs[i]) * 0.0;
  results.push_back(y);
  evaluate(results);
  expect_golden(golden, "y", y);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const std::string name = "dx" + std::to_string(i); golden.has_tensor(name))
      expect_golden(golden, name, results[i]);
}

TEST(OperationGolden, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("operations")) {
    SCOPED_TRACE(golden.name());
    check(golden);
  }
}

TEST(OperationGolden, HasACaseForEachOperation) {
  std::set<std::string> without_case;
  for (const OperationKind& kind : operation_list())
    without_case.insert(std::string(kind.class_name));
  for (const GoldenCase& golden : testing::read_goldens("operations"))
    without_case.erase(std::string(operation_in(golden)->class_name()));
  // Keras's mish does not take symbolic tensors; the others are second names of what is there.
  const std::set<std::string> exempt = {"Abs",  "Amin",  "BroadcastTo", "Divide",
                                        "Mish", "Outer", "Ravel",       "Slice"};
  EXPECT_EQ(without_case, exempt);
}

TEST(Operation, IsSavedAsItWasRead) {
  for (const GoldenCase& golden : testing::read_goldens("operations")) {
    const Layer operation = operation_in(golden);
    const OperationBody* body = as_operation(*operation);
    ASSERT_NE(body, nullptr);
    Json expected = Json::parse(golden.text("operation"));
    EXPECT_EQ(operation->name(), expected["name"].get<std::string>());
    expected.erase("name");
    EXPECT_EQ(body->to_json(), expected);
    Json node = body->node_template();
    EXPECT_EQ(node["kwargs"], Json::parse(golden.text("node"))["kwargs"]);
    EXPECT_EQ(node["args"].size(), Json::parse(golden.text("node"))["args"].size());
  }
}

TEST(Operation, IsToldByItsModule) {
  EXPECT_TRUE(is_operation("keras.src.ops.numpy", "Add"));
  EXPECT_TRUE(is_operation("keras.src.activations.activations", "ReLU"));
  EXPECT_FALSE(is_operation("keras.layers", "Add"));
  EXPECT_FALSE(is_operation("", "Add"));
}

Json tensor_json() {
  return {{"class_name", "__keras_tensor__"}, {"config", {{"keras_history", {"x", 0, 0}}}}};
}

Layer operation_named(const char* class_name, Json config, Json args,
                      Json kwargs = Json::object()) {
  config["name"] = "it";
  return operation_from_json({{"module", "keras.src.ops.numpy"},
                              {"class_name", class_name},
                              {"config", config},
                              {"name", "it"}},
                             {{"args", args}, {"kwargs", kwargs}});
}

TEST(Operation, RefusesWhatItDoesNotKnow) {
  const Tensor x = placeholder({{}, {2, 3}});
  EXPECT_THAT(
      [] {
        operation_named("Cumprod", {{"axis", 1}}, {tensor_json()});
      },
      ThrowsMessage<InvalidArgument>(
          HasSubstr("it: the operation 'Cumprod' is not known (known: Abs")));
  EXPECT_THAT(
      [&] {
        operation_named("Relu", {{"slope", 0.5}}, {tensor_json()})(x);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("its config has slope = 0.5, which is not known")));
  EXPECT_THAT(
      [&] {
        operation_named("Relu", {}, {tensor_json(), 3})(x);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("expected 1 arguments, found 2")));
  EXPECT_THAT(
      [&] {
        operation_named("Relu", {}, {tensor_json()}, {{"y", 3}})(x);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("has an argument that is not known")));
  EXPECT_THAT(
      [&] {
        operation_named("Add", {}, {tensor_json(), "text"})(x);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("expected a tensor or a number, found \"text\"")));
  EXPECT_THROW(operation_named("Add", {}, {tensor_json(), {{1, 2}, {3}}})(x), InvalidArgument);
  EXPECT_THROW(operation_named("GetItem", {}, {tensor_json(), {0, 0, 0}})(x), InvalidArgument);
  EXPECT_THROW(operation_named("GetItem", {}, {tensor_json(), {0, 3}})(x), InvalidArgument);
}

TEST(Operation, RefusesArgumentsThatAreNestedTooDeeply) {
  Json deep = Json::array();
  for (int i = 0; i < 100; ++i) deep = Json::array({deep});
  EXPECT_THROW(operation_named("Add", {}, {tensor_json(), deep}), InvalidArgument);
}

TEST(Operation, SaysWhatAProgramComputes) {
  const Tensor x = Input({.shape = {3}}), y = Input({.shape = {3}});
  const auto said = [](const Tensor& t) {
    const Node& node = *t.value().node;
    return operation_of(*node.op, node);
  };
  const std::optional<Layer> product = said(x * y);
  ASSERT_TRUE(product);
  EXPECT_EQ((*product)->class_name(), "Multiply");
  EXPECT_EQ((*product)->input_count(), 2);
  const std::optional<Layer> difference = said(2.0 - x);
  ASSERT_TRUE(difference);
  const OperationBody* body = as_operation(**difference);
  EXPECT_EQ(body->to_json()["class_name"], "Subtract");
  EXPECT_EQ(body->to_json()["module"], "keras.src.ops.numpy");
  EXPECT_EQ(body->node_template()["args"], (Json{2.0, {{"__tensor__", 0}}}));
  const std::vector<float> row = {1, 2, 3};
  const Tensor value = constant(row, {1, 3});
  EXPECT_EQ((*difference)(value).to_vector(), (std::vector<float>{1, 0, -1}));
  const std::optional<Layer> shifted = said(x + constant(row, {3}));
  ASSERT_TRUE(shifted);
  EXPECT_EQ((*shifted)(value).to_vector(), (std::vector<float>{2, 4, 6}));
  EXPECT_FALSE(said(relu_gradient(x, y)));
}

// What a program computes on symbols, said in Keras's words and read again, gives the same numbers.
TEST(Operation, ComputesWhatTheProgramDid) {
  using Function = std::function<Tensor(const Tensor&)>;
  const std::vector<std::pair<std::string, Function>> cases = {
      {"Sum", [](const Tensor& x) { return sum(x, {1}); }},
      {"Mean",
       [](const Tensor& x) {
         return mean(x, {1, 2}, true);
       }},
      {"Max", [](const Tensor& x) { return max(x, {-1}); }},
      {"Min", [](const Tensor& x) { return min(x, {2}); }},
      {"Prod", [](const Tensor& x) { return prod(x, {2}); }},
      {"Softmax", [](const Tensor& x) { return softmax(x); }},
      {"LogSoftmax", [](const Tensor& x) { return log_softmax(x, 1); }},
      {"Concatenate",
       [](const Tensor& x) {
         return concatenate({x, x}, 1);
       }},
      {"Transpose",
       [](const Tensor& x) {
         return transpose(x, {0, 2, 1});
       }},
      {"Reshape",
       [](const Tensor& x) {
         return reshape(x, {-1, 6});
       }},
      {"Reshape", [](const Tensor& x) { return expand_dims(x, 1); }},
      {"Clip", [](const Tensor& x) { return clip(x, -0.5, 0.25); }},
      {"GetItem",
       [](const Tensor& x) {
         return slice(x, {0, 1, 0}, {-1, 1, -1});
       }},
      {"Cast", [](const Tensor& x) { return cast(x, DType::int32); }},
      {"Matmul",
       [](const Tensor& x) {
         return matmul(x, constant(std::vector<float>{1, 2, 3}, {3, 1}));
       }},
      {"Where", [](const Tensor& x) { return select(greater(x, 0), x, 0.5); }},
      {"Greater", [](const Tensor& x) { return greater(x, 0.1); }},
  };
  const std::vector<float> numbers = {0.1f, -0.7f, 0.4f, 1.2f, -0.3f, 0.9f};
  const Tensor value = constant(numbers, {1, 2, 3});
  for (const auto& [class_name, compute] : cases) {
    SCOPED_TRACE(class_name);
    const Tensor x = Input({.shape = {2, 3}});
    const Tensor made = compute(x);
    const Node& node = *made.value().node;
    const std::optional<Layer> said = operation_of(*node.op, node);
    ASSERT_TRUE(said);
    EXPECT_EQ((*said)->class_name(), class_name);
    Tensors inputs;
    for (const Value& input : node.inputs)
      if (input.node->symbolic)
        inputs.push_back(as_layer_call(*input.node) != nullptr ? value : greater(value, 0));
    const Tensor again = (*said)(inputs)[0], expected = compute(value);
    EXPECT_EQ(again.spec(), expected.spec());
    EXPECT_EQ(as_float(again).to_vector(), as_float(expected).to_vector());
  }
}

TEST(OperationList, IsInOrderAndHoldsEachKindOnce) {
  const auto by_name = &OperationKind::class_name;
  EXPECT_TRUE(std::ranges::is_sorted(operation_list(), std::ranges::less(), by_name));
  EXPECT_EQ(std::ranges::adjacent_find(operation_list(), std::ranges::equal_to(), by_name),
            operation_list().end());
}

}  // namespace
}  // namespace plimsoll
