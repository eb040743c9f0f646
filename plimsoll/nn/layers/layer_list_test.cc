// One harness for every kind of layer.
#include "plimsoll/nn/layers/layer_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

Tensors example_inputs(const LayerKind& kind) {
  Tensors inputs;
  for (const Shape& shape : kind.inputs) {
    const auto seed = static_cast<int64_t>(inputs.size());
    const std::vector<float> values = Initializer("random_normal").values(shape, seed, "x");
    const Tensor x = constant(values, shape);
    if (kind.input_dtype == DType::string) {
      std::vector<std::string> letters;
      for (const float value : values)
        letters.emplace_back(value < -0.02 ? "a b" : value < 0.03 ? "b" : "c");
      inputs.push_back(texts(letters, shape));
      continue;
    }
    inputs.push_back(kind.input_dtype == DType::float32
                         ? x
                         : cast(minimum(abs(x) * 40.0, 3.0), kind.input_dtype));
  }
  return inputs;
}

class EveryLayer : public ::testing::TestWithParam<size_t> {
 protected:
  const LayerKind& kind_ = layer_list()[GetParam()];
  const Layer layer_ = kind_.example();
};

TEST_P(EveryLayer, IsNamedAsItsRow) {
  EXPECT_EQ(layer_->class_name(), kind_.class_name);
  EXPECT_FALSE(layer_->name().empty());
}

TEST_P(EveryLayer, MakesItsWeightsWhenFirstCalled) {
  EXPECT_FALSE(layer_->built());
  EXPECT_TRUE(layer_->weights().empty());
  layer_(example_inputs(kind_));
  EXPECT_TRUE(layer_->built());
  const Variables weights = layer_->weights();
  ASSERT_EQ(weights.size(), kind_.weights.size());
  for (size_t i = 0; i < weights.size(); ++i)
    EXPECT_EQ(weights[i].name(), layer_->name() + "/" + std::string(kind_.weights[i]));
  layer_(example_inputs(kind_));
  EXPECT_EQ(layer_->weights(), weights);
}

// A functional model of the one layer agrees with a direct call, and its batch is unknown.
TEST_P(EveryLayer, SaysWhatShapeComesOut) {
  Tensors symbols;
  for (const Shape& shape : kind_.inputs)
    symbols.push_back(Input({.shape = Shape(shape.dims().subspan(1)), .dtype = kind_.input_dtype}));
  FunctionalBody model(symbols, layer_(symbols));
  const Shape promised = model.outputs()[0].spec.shape;
  EXPECT_EQ(promised[0], kUnknown);
  const Tensors inputs = example_inputs(kind_);
  const Shape found = model(inputs, {})[0].shape();
  EXPECT_EQ(found, layer_(inputs)[0].shape());
  ASSERT_EQ(found.rank(), promised.rank());
  for (int i = 1; i < found.rank(); ++i) EXPECT_EQ(found[i], promised[i]);
  EXPECT_EQ(found[0], kind_.inputs[0][0]);
}

TEST_P(EveryLayer, TrainsForAStep) {
  const Tensors inputs = example_inputs(kind_);
  if (!kind_.trains) {
    EXPECT_THROW(layer_(inputs, {.training = true}), InvalidArgument);
    return;
  }
  const Tensor y = layer_(inputs, {.training = true})[0];
  Tensors sources = inputs;
  const Variables weights = layer_->trainable_variables();
  for (const Variable& weight : weights) sources.push_back(weight.value());
  Tensors flowed = gradients(sum(square(y)), sources);
  for (size_t i = 0; i < flowed.size(); ++i) {
    if (sources[i].dtype() != DType::float32) continue;  // nothing flows to whole numbers
    ASSERT_TRUE(flowed[i].defined()) << "source " << i;
    EXPECT_EQ(flowed[i].shape(), sources[i].shape());
  }
  if (weights.empty()) return evaluate(flowed);
  const std::vector<float> before = weights[0].value().to_vector();
  flowed.erase(flowed.begin(), flowed.begin() + static_cast<int64_t>(inputs.size()));
  SGD({.learning_rate = 0.1}).apply_gradients(flowed, weights);
  EXPECT_NE(weights[0].value().to_vector(), before);
}

TEST_P(EveryLayer, HasNothingToTrainWhenFrozen) {
  layer_->set_trainable(false);
  layer_(example_inputs(kind_));
  EXPECT_TRUE(layer_->trainable_variables().empty());
  EXPECT_EQ(layer_->non_trainable_variables().size(), kind_.weights.size());
  layer_->set_trainable(true);
  const auto statistics = std::ranges::count_if(kind_.weights, [](std::string_view name) {
    return name.starts_with("moving") || name == "mean" || name == "variance" || name == "count" ||
           name == "vector_u";
  });
  EXPECT_EQ(std::ssize(layer_->non_trainable_variables()), statistics);
}

// What is written is read back to the same layer: the same settings, the same outputs.
TEST_P(EveryLayer, ComesBackFromItsConfig) {
  const Tensors inputs = example_inputs(kind_);
  const Tensors expected = layer_(inputs);
  const Json json = layer_to_json(*layer_);
  const Layer again = layer_from_json(json);
  EXPECT_EQ(layer_to_json(*again).dump(1), json.dump(1));
  EXPECT_EQ(again->name(), layer_->name());
  again(inputs);
  const Variables from = layer_->weights(), to = again->weights();
  ASSERT_EQ(from.size(), to.size());
  for (size_t i = 0; i < from.size(); ++i) {
    ASSERT_EQ(from[i].spec(), to[i].spec());
    Variable(to[i]).set_bytes({from[i].data(), static_cast<size_t>(from[i].spec().bytes())});
  }
  const Tensors found = again(inputs);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i].to_vector(), expected[i].to_vector());
}

// Every sample but the first becomes a copy of the first, whose outputs then change only if the
// layer mixes samples.
TEST_P(EveryLayer, MixesSamplesOnlyIfItSaysSo) {
  if (!kind_.trains) return;
  const Tensors inputs = example_inputs(kind_);
  if (kind_.input_dtype == DType::string || inputs[0].shape()[0] < 2) return;
  const auto first_outputs = [&](const Tensors& x) {
    set_random_seed(7);
    const Tensor y = layer_(x, {.training = true})[0];
    std::vector<float> values = y.to_vector();
    values.resize(values.size() / static_cast<size_t>(y.shape()[0]));
    return values;
  };
  // A layer may draw on from its last call, or change its weights.
  const std::vector<float> among_others = first_outputs(inputs);
  if (first_outputs(inputs) != among_others) return;
  Tensors copies;
  for (const Tensor& x : inputs) {
    std::vector<int64_t> begin(static_cast<size_t>(x.rank()), 0), size(begin.size(), -1);
    size[0] = 1;
    const int64_t batch = x.shape()[0];
    copies.push_back(concatenate(Tensors(static_cast<size_t>(batch), slice(x, begin, size)), 0));
  }
  const std::vector<float> alone = first_outputs(copies);
  ASSERT_EQ(alone.size(), among_others.size());
  float difference = 0;
  for (size_t i = 0; i < alone.size(); ++i)
    difference = std::max(difference, std::abs(alone[i] - among_others[i]));
  EXPECT_EQ(difference > 1e-3, layer_->mixes_samples(true)) << difference;
  EXPECT_FALSE(layer_->mixes_samples(false));
}

// On numbers from 0 to 3.
TEST_P(EveryLayer, DoesToTheRangeOfNumbersWhatItSays) {
  Tensors inputs;
  for (const Tensor& x : example_inputs(kind_))
    inputs.push_back(x.dtype() == DType::float32 ? minimum(abs(x) * 40.0, 3.0) : x);
  const std::vector<float> after = layer_(inputs)[0].to_vector();
  const RangeEffect effect = layer_->range_effect();
  switch (effect.kind) {
    case RangeEffect::Kind::keeps:
      for (const float value : after) EXPECT_TRUE(value >= -1e-5 && value <= 3 + 1e-5) << value;
      break;
    case RangeEffect::Kind::scales: {
      const std::vector<float> before = inputs[0].to_vector();
      for (size_t i = 0; i < before.size(); ++i)
        EXPECT_NEAR(after[i], before[i] * effect.scale + effect.offset, 1e-5);
      break;
    }
    case RangeEffect::Kind::multiplies:
      EXPECT_FALSE(layer_->trainable_variables().empty());
      break;
    case RangeEffect::Kind::looks_up:
      EXPECT_EQ(layer_->trainable_variables().at(0).shape()[0], effect.rows);
      break;
    case RangeEffect::Kind::normalizes:
    case RangeEffect::Kind::normalizes_batch: {  // y = a x + b of each number
      const std::vector<float> twice = layer_(inputs[0] * 2.0).to_vector();
      const std::vector<float> thrice = layer_(inputs[0] * 3.0).to_vector();
      for (size_t i = 0; i < after.size(); ++i)
        EXPECT_NEAR(after[i] + thrice[i], 2 * twice[i], 1e-4);
      break;
    }
    case RangeEffect::Kind::activates:
      EXPECT_EQ(layer_(inputs)[0].shape(), inputs[0].shape());
      break;
    case RangeEffect::Kind::other:
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(LayerList, EveryLayer, ::testing::Range<size_t>(0, layer_list().size()),
                         [](const auto& row) {
                           return std::string(layer_list()[row.param].class_name);
                         });

TEST(LayerList, IsInOrderAndHoldsEachKindOnce) {
  EXPECT_TRUE(std::ranges::is_sorted(layer_list(), std::ranges::less(), &LayerKind::class_name));
  EXPECT_EQ(
      std::ranges::adjacent_find(layer_list(), std::ranges::equal_to(), &LayerKind::class_name),
      layer_list().end());
}

}  // namespace
}  // namespace plimsoll
