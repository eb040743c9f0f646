// Layers over images and rows, merging and masks against real Keras, each made from the config that
// Keras saved.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/images/affine_transform.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;

Tensors inputs_of(const GoldenCase& golden) {
  Tensors inputs;
  for (int i = 0; golden.has_tensor("x" + std::to_string(i)); ++i) {
    const std::string number = std::to_string(i);
    inputs.push_back(golden.tensor("x" + number));
    if (golden.has_tensor("mask" + number))
      inputs.back().set_mask(cast(golden.tensor("mask" + number), DType::boolean));
  }
  return inputs;
}

// "conv1d/kernel" -> "kernel"
std::string own_name(const Variable& weight) {
  return weight.name().substr(weight.name().find_last_of('/') + 1);
}

void set_weights(const GoldenCase& golden, const Layer& layer) {
  std::vector<std::string> names;
  for (Variable weight : layer->weights()) {
    names.push_back(own_name(weight));
    weight.set(golden.tensor("w." + names.back()).to_vector());
  }
  EXPECT_EQ(names, golden.words("weights"));
}

void check_mask(const GoldenCase& golden, const Tensor& y) {
  EXPECT_EQ(y.mask().defined(), golden.has_tensor("y_mask"));
  if (y.mask().defined() && golden.has_tensor("y_mask"))
    expect_golden(golden, "y_mask", cast(y.mask(), DType::float32));
}

void check(const GoldenCase& golden) {
  const Json config = Json::parse(golden.text("config"));
  const Layer layer = layer_from_json(config);
  EXPECT_EQ(layer_to_json(*layer), config) << layer_to_json(*layer).dump();

  const Tensors inputs = inputs_of(golden);
  Tensors placeholders;
  for (const Tensor& x : inputs) placeholders.push_back(placeholder(x.spec()));
  layer(placeholders);
  set_weights(golden, layer);

  const Tensor y = layer(inputs, {.training = golden.flag("training", false)})[0];
  ASSERT_EQ(y.shape(), golden.tensor("dy").shape());
  Tensors sources = inputs;
  const Variables trainable = layer->trainable_variables();
  for (const Variable& weight : trainable) sources.push_back(weight.value());
  Tensors results = gradients(sum(y * golden.tensor("dy")), sources);
  results.push_back(y);
  evaluate(results);
  expect_golden(golden, "y", y);
  check_mask(golden, y);
  for (size_t i = 0; i < inputs.size(); ++i)
    expect_golden(golden, "dx" + std::to_string(i), results[i]);
  for (size_t i = 0; i < trainable.size(); ++i)
    expect_golden(golden, "dw." + own_name(trainable[i]), results[inputs.size() + i]);
  for (const Variable& weight : layer->non_trainable_variables())
    expect_golden(golden, "new." + own_name(weight), weight.value());
}

TEST(ImageLayerGolden, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("image_layers")) {
    SCOPED_TRACE(golden.name());
    check(golden);
  }
}

TEST(ImageTransformGolden, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("image_transforms")) {
    SCOPED_TRACE(golden.name());
    const Tensor y =
        affine_transform(golden.tensor("x"), golden.tensor("transforms"),
                         {.interpolation = interpolation_of(golden.text("interpolation")),
                          .fill_mode = fill_mode_of(golden.text("fill_mode")),
                          .fill_value = golden.number("fill_value", 0)});
    expect_golden(golden, "y", y);
  }
}

}  // namespace
}  // namespace plimsoll
