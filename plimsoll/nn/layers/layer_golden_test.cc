// Every layer against real Keras: outputs, gradients, and statistics after the call.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/convolution/conv2d.h"
#include "plimsoll/nn/convolution/pooling2d.h"
#include "plimsoll/nn/images/rescaling.h"
#include "plimsoll/nn/layers/activation.h"
#include "plimsoll/nn/layers/batch_normalization.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/dropout.h"
#include "plimsoll/nn/layers/reshaping.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;

Size2D size_of(const GoldenCase& golden, const std::string& key, int64_t fallback) {
  if (!golden.has(key)) return fallback;
  const std::vector<int64_t> numbers = golden.numbers(key);
  return {numbers.at(0), numbers.at(1)};
}

Layer make_dense(const GoldenCase& golden) {
  return Dense({.units = static_cast<int64_t>(golden.number("units", 0)),
                .activation = golden.text("activation"),
                .use_bias = golden.flag("use_bias", true)});
}

Layer make_conv2d(const GoldenCase& golden) {
  return Conv2D({.filters = static_cast<int64_t>(golden.number("filters", 0)),
                 .kernel_size = size_of(golden, "kernel_size", 0),
                 .strides = size_of(golden, "strides", 1),
                 .padding = golden.text("padding", "valid"),
                 .dilation_rate = size_of(golden, "dilation_rate", 1),
                 .groups = static_cast<int64_t>(golden.number("groups", 1)),
                 .activation = golden.text("activation"),
                 .use_bias = golden.flag("use_bias", true)});
}

Pooling2DOptions pooling(const GoldenCase& golden) {
  return {.pool_size = size_of(golden, "pool_size", 2),
          .strides = size_of(golden, "strides", 0),
          .padding = golden.text("padding", "valid")};
}

Layer make_batch_normalization(const GoldenCase& golden) {
  return BatchNormalization({.momentum = golden.number("momentum", 0.99),
                             .epsilon = golden.number("epsilon", 1e-3),
                             .center = golden.flag("center", true),
                             .scale = golden.flag("scale", true)});
}

using Maker = std::function<Layer(const GoldenCase&)>;

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> table = {
      {"Dense", make_dense},
      {"Conv2D", make_conv2d},
      {"BatchNormalization", make_batch_normalization},
      {"MaxPooling2D", [](const auto& golden) { return MaxPooling2D(pooling(golden)); }},
      {"AveragePooling2D", [](const auto& golden) { return AveragePooling2D(pooling(golden)); }},
      {"GlobalAveragePooling2D",
       [](const auto& golden) {
         return GlobalAveragePooling2D({.keepdims = golden.flag("keepdims", false)});
       }},
      {"Activation",
       [](const auto& golden) { return Activation({.activation = golden.text("activation")}); }},
      {"Flatten", [](const auto&) { return Flatten(); }},
      {"Reshape",
       [](const auto& golden) {
         return Reshape({.target_shape = Shape(golden.numbers("target_shape"))});
       }},
      {"Rescaling",
       [](const auto& golden) {
         return Rescaling(
             {.scale = golden.number("scale", 1), .offset = golden.number("offset", 0)});
       }},
      {"Dropout", [](const auto& golden) { return Dropout({.rate = golden.number("rate", 0)}); }},
  };
  return table;
}

// "dense/kernel" -> "kernel"
std::string own_name(const Variable& weight) {
  return weight.name().substr(weight.name().find_last_of('/') + 1);
}

void check(const GoldenCase& golden) {
  const Layer layer = makers().at(golden.text("layer"))(golden);
  const Tensor x = golden.tensor("x");
  layer(placeholder(x.spec()));
  std::vector<std::string> names;
  for (Variable weight : layer->weights()) {
    names.push_back(own_name(weight));
    weight.set(golden.tensor("w." + names.back()).to_vector());
  }
  EXPECT_EQ(names, golden.words("weights"));

  const Tensor y = layer(x, {.training = golden.flag("training", false)});
  ASSERT_EQ(y.shape(), golden.tensor("dy").shape());
  const Tensor total = sum(y * golden.tensor("dy"));
  Tensors sources = {x};
  const Variables trainable = layer->trainable_variables();
  for (const Variable& weight : trainable) sources.push_back(weight.value());
  Tensors results = gradients(total, sources);
  results.push_back(y);
  evaluate(results);
  expect_golden(golden, "y", y);
  expect_golden(golden, "dx", results[0]);
  for (size_t i = 0; i < trainable.size(); ++i)
    expect_golden(golden, "dw." + own_name(trainable[i]), results[i + 1]);
  for (const Variable& weight : layer->non_trainable_variables())
    expect_golden(golden, "new." + own_name(weight), weight.value());
}

TEST(LayerGolden, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("layers")) {
    SCOPED_TRACE(golden.name());
    check(golden);
  }
}

}  // namespace
}  // namespace plimsoll
