// Attention, embedding and normalisation of samples against real Keras, each layer made from the
// config that Keras saved.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;

Tensors numbered(const GoldenCase& golden, const std::string& prefix) {
  Tensors found;
  for (int i = 0; golden.has_tensor(prefix + std::to_string(i)); ++i)
    found.push_back(golden.tensor(prefix + std::to_string(i)));
  return found;
}

Tensor mask_in(const GoldenCase& golden, const std::string& name) {
  return golden.has_tensor(name) ? cast(golden.tensor(name), DType::boolean) : Tensor();
}

Tensors inputs_of(const GoldenCase& golden) {
  Tensors inputs = numbered(golden, "x");
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const Tensor mask = mask_in(golden, "mask" + std::to_string(i)); mask.defined())
      inputs[i].set_mask(mask);
  return inputs;
}

// "it/query/kernel" -> "query/kernel"
std::string own_name(const Variable& weight) {
  return weight.name().substr(weight.name().find('/') + 1);
}

Layer layer_in(const GoldenCase& golden, const Tensors& inputs) {
  const Layer layer = layer_from_json(Json::parse(golden.text("config")));
  layer(inputs);
  std::vector<std::string> names;
  for (Variable weight : layer->weights()) {
    names.push_back(own_name(weight));
    weight.set(golden.tensor("w." + names.back()).to_vector());
  }
  EXPECT_EQ(names, golden.words("weights"));
  return layer;
}

// A gradient that is 0 but for rounding, such as that of a key's bias, is not in the file.
void expect_nothing(const std::string& name, const Tensor& gradient) {
  for (const float g : gradient.to_vector()) EXPECT_LT(std::abs(g), 1e-5) << name;
}

void check(const GoldenCase& golden) {
  const Tensors inputs = inputs_of(golden);
  const Layer layer = layer_in(golden, inputs);
  const Tensors outputs =
      layer(inputs, {.attention_mask = mask_in(golden, "attention_mask"),
                     .use_causal_mask = golden.flag("use_causal_mask", false),
                     .return_attention_scores = golden.flag("return_attention_scores", false)});
  const Tensors dy = numbered(golden, "dy");
  ASSERT_EQ(outputs.size(), dy.size());
  Tensor total = sum(outputs[0] * dy[0]);
  for (size_t i = 1; i < dy.size(); ++i) total = total + sum(outputs[i] * dy[i]);
  Tensors sources;
  std::vector<std::string> names;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].dtype() == DType::float32) {
      sources.push_back(inputs[i]);
      names.push_back("dx" + std::to_string(i));
    }
  for (const Variable& weight : layer->trainable_variables()) {
    sources.push_back(weight.value());
    names.push_back("dw." + own_name(weight));
  }
  const Tensor mask = outputs[0].mask();
  ASSERT_EQ(mask.defined(), golden.has_tensor("out_mask"));
  Tensors results = gradients(total, sources);
  results.insert(results.end(), outputs.begin(), outputs.end());
  if (mask.defined()) results.push_back(as_float(mask));
  evaluate(results);
  for (size_t i = 0; i < names.size(); ++i)
    if (golden.has_tensor(names[i]))
      expect_golden(golden, names[i], results[i]);
    else
      expect_nothing(names[i], results[i]);
  for (size_t i = 0; i < outputs.size(); ++i)
    expect_golden(golden, "y" + std::to_string(i), outputs[i]);
  if (mask.defined()) expect_golden(golden, "out_mask", results.back());
}

TEST(AttentionGolden, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("attention")) {
    SCOPED_TRACE(golden.name());
    check(golden);
  }
}

// The text with keys sorted.
std::string in_order(const Json& json) {
  return nlohmann::json::parse(json.dump()).dump(1);
}

// Every key that Keras wrote is written again, and no other.
TEST(AttentionGolden, WritesTheConfigThatKerasWrote) {
  for (const GoldenCase& golden : testing::read_goldens("attention")) {
    SCOPED_TRACE(golden.name());
    const Json expected = Json::parse(golden.text("config"));
    const Tensors inputs = inputs_of(golden);
    const Json found = layer_to_json(*layer_in(golden, inputs));
    EXPECT_EQ(in_order(found["config"]), in_order(expected["config"]));
  }
}

}  // namespace
}  // namespace plimsoll
