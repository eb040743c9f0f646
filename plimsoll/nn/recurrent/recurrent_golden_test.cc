// Recurrent layers and their wrappers against real Keras: configs, outputs, gradients, states.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/recurrent/recurrent_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;

std::string numbered(const std::string& name, size_t i) {
  return name + "." + std::to_string(i);
}

// The tensors NAME.0, NAME.1, … of a case.
Tensors all_of(const GoldenCase& golden, const std::string& name) {
  Tensors tensors;
  while (golden.has_tensor(numbered(name, tensors.size())))
    tensors.push_back(golden.tensor(numbered(name, tensors.size())));
  return tensors;
}

Layer layer_of(const GoldenCase& golden) {
  return layer_from_json(Json::parse(golden.text("config")));
}

void set_weights(const GoldenCase& golden, const Layer& layer) {
  const Variables weights = layer->weights();
  const Tensors given = all_of(golden, "w");
  ASSERT_EQ(weights.size(), given.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    ASSERT_EQ(weights[i].shape(), given[i].shape()) << weights[i].name();
    Variable(weights[i]).set(given[i].to_vector());
  }
}

void check(const GoldenCase& golden) {
  const Layer layer = layer_of(golden);
  EXPECT_EQ(layer_to_json(*layer).dump(), Json::parse(golden.text("config")).dump());
  const Tensor x = golden.tensor("x");
  layer(Tensors{placeholder(x.spec())});
  set_weights(golden, layer);

  CallOptions options = {.training = golden.flag("training", false)};
  if (golden.has_tensor("mask")) options.mask = cast(golden.tensor("mask"), DType::boolean);
  options.initial_state = all_of(golden, "state");
  const Tensors y = layer(Tensors{x}, options), seeds = all_of(golden, "dy");
  ASSERT_EQ(y.size(), seeds.size());
  Tensor total;
  for (size_t i = 0; i < y.size(); ++i) {
    ASSERT_EQ(y[i].shape(), seeds[i].shape());
    const Tensor part = sum(y[i] * seeds[i]);
    total = total.defined() ? total + part : part;
  }
  Tensors sources = {x};
  for (const Tensor& state : options.initial_state) sources.push_back(state);
  const size_t states = sources.size();
  for (const Variable& weight : layer->trainable_variables()) sources.push_back(weight.value());
  Tensors results = gradients(total, sources);
  results.insert(results.end(), y.begin(), y.end());
  evaluate(results);
  for (size_t i = 0; i < y.size(); ++i) expect_golden(golden, numbered("y", i), y[i]);
  expect_golden(golden, "dx", results[0]);
  for (size_t i = 1; i < sources.size(); ++i)
    expect_golden(golden, i < states ? numbered("dstate", i - 1) : numbered("dw", i - states),
                  results[i]);
}

TEST(RecurrentGolden, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("recurrent")) {
    if (golden.name() == "stateful") continue;
    SCOPED_TRACE(golden.name());
    check(golden);
  }
}

TEST(RecurrentGolden, KeepsItsStateFromBatchToBatchAsKeras) {
  const GoldenCase golden = testing::read_golden("recurrent", "stateful");
  const Layer layer = layer_of(golden);
  layer(golden.tensor("x.0"));
  set_weights(golden, layer);
  reset_state(layer);
  const Tensors x = all_of(golden, "x");
  for (size_t i = 0; i < x.size(); ++i) expect_golden(golden, numbered("y", i), layer(x[i]));
  reset_state(layer);
  expect_golden(golden, "y.reset", layer(x.back()));
}

}  // namespace
}  // namespace plimsoll
