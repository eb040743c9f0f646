// Ways to NaN in layers, losses, weights, data and settings: the operation, the layer and the
// records are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/nan_case.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::NanCase;
using testing::NanData;
using testing::NanFinding;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void leave(NanData&) {}

std::function<void(NanData&)> one_number(float value) {
  return [=](NanData& data) { data.x[5 * 4 + 2] = value; };
}
std::function<void(NanData&)> one_record(float value) {
  return [=](NanData& data) { data.set_record(5, value); };
}
std::function<void(NanData&)> one_target(float value) {
  return [=](NanData& data) { data.y[5] = value; };
}

Tensor pass(const Tensor& x) {
  return x;
}

NanFinding in_layer(const std::string& op, const std::string& layer) {
  return {.op = op, .layer = layer, .records = {"5"}};
}
NanFinding for_all(const std::string& op, const std::string& layer) {
  return {.op = op, .layer = layer, .is_every_record = true};
}
NanFinding in_weight(const std::string& weight, const std::string& layer) {
  return {.op = "weight", .layer = layer, .weight = weight};
}

// As a sequence of four steps of one number.
Tensor as_sequence(const Tensor& x) {
  return Reshape({.target_shape = {4, 1}})(x);
}
// As an image of 2 by 2.
Tensor as_image(const Tensor& x) {
  return Reshape({.target_shape = {2, 2, 1}})(x);
}

void set_first_weight(Model& model, const std::string& name, float value) {
  for (Variable weight : model.weights()) {
    if (weight.name() != name) continue;
    auto numbers = weight.value().to_vector();
    numbers[0] = value;
    weight.set(numbers);
    return;
  }
  FAIL() << "there is no weight " << name;
}

std::function<void(Model&)> spoils(const std::string& weight, float value) {
  return [=](Model& model) { set_first_weight(model, weight, value); };
}

Tensor hidden(const Tensor& x) {
  return Dense({.units = 4, .kernel_initializer = "ones", .name = "hidden"})(x);
}

std::vector<NanCase> layer_cases() {
  return {
      {"ExponentialActivation",
       [](const Tensor& x) {
         return Dense({.units = 3,
                       .activation = "exponential",
                       .kernel_initializer = "ones",
                       .name = "wide"})(x);
       },
       one_number(200), in_layer("exp", "wide")},
      {"Rescaling", [](const Tensor& x) { return Rescaling({.scale = 1e20, .name = "scaled"})(x); },
       one_number(1e25f), in_layer("multiply", "scaled")},
      {"DenseOverflows", hidden, one_record(3e38f), in_layer("matmul", "hidden")},
      {"ConvolutionOverflows",
       [](const Tensor& x) {
         return Flatten()(Conv2D(
             {.filters = 2, .kernel_size = {2, 2}, .kernel_initializer = "ones", .name = "filter"})(
             as_image(x)));
       },
       one_record(3e38f), in_layer("conv2d", "filter")},
      {"LayerNormalizationOfAConstantRecord",
       [](const Tensor& x) { return LayerNormalization({.epsilon = 0, .name = "normal"})(x); },
       one_record(2), in_layer("layer_normalize", "normal")},
      {"BatchNormalizationOfAConstantColumn",
       [](const Tensor& x) { return BatchNormalization({.epsilon = 0, .name = "normal"})(x); },
       [](NanData& data) {
         for (size_t i = 1; i < data.x.size(); i += 4) data.x[i] = 3;
       },
       for_all("batch_normalize", "normal")},
      {"SimpleRNNThatExplodes",
       [](const Tensor& x) {
         return SimpleRNN({.units = 2,
                           .activation = "linear",
                           .kernel_initializer = "ones",
                           .recurrent_initializer = "ones",
                           .name = "recurrent"})(as_sequence(x));
       },
       one_record(2e38f), in_layer("simple_rnn", "recurrent/simple_rnn_cell")},
      {"LSTMThatExplodes",
       [](const Tensor& x) {
         return LSTM({.units = 2,
                      .activation = "linear",
                      .kernel_initializer = "ones",
                      .recurrent_initializer = "ones",
                      .name = "recurrent"})(as_sequence(x));
       },
       one_record(2e38f), in_layer("lstm", "recurrent/lstm_cell")},
      {"AttentionOverflows",
       [](const Tensor& x) {
         const Tensor sequence = as_sequence(x);
         return Flatten()(Attention({.name = "look"})(Tensors{sequence, sequence})[0]);
       },
       one_record(1e25f), in_layer("attention", "look")},
      {"ActivityPenaltyOverflows",
       [](const Tensor& x) { return ActivityRegularization({.l2 = 1e10, .name = "penalty"})(x); },
       one_number(1e16f), in_layer("multiply", "penalty")},
  };
}

std::vector<NanCase> loss_cases() {
  const Loss own_log("own_log", [](const Tensor& y_true, const Tensor& y_pred) {
    return mean(y_true * log(y_pred), {-1});
  });
  // Only targets above 0 count; a batch may have none.
  const Loss own_mask("own_mask", [](const Tensor& y_true, const Tensor& y_pred) {
    const Tensor mask = cast(greater(y_true, 0), DType::float32);
    return sum(square(y_true - y_pred) * mask) / sum(mask);
  });
  return {
      {.name = "LossOverflows",
       .middle = pass,
       .spoil = one_target(1e25f),
       .expected = in_layer("square", "mean_squared_error")},
      {.name = "PoissonOfANegativeNumber",
       .middle = pass,
       .spoil = one_record(-1),
       .expected = in_layer("log", "poisson"),
       .loss = "poisson"},
      {.name = "OwnLossWithALog",
       .middle = pass,
       .spoil = one_record(0),
       .expected = in_layer("log", "own_log"),
       .loss = own_log},
      {.name = "OwnLossWithoutATargetThatCounts",
       .middle = pass,
       .spoil = [](NanData& data) { std::fill_n(data.y.begin() + 8, 8, 0.0f); },
       .expected = for_all("divide", "own_mask"),
       .loss = own_mask},
      {.name = "CrossentropyByHand",
       .middle = pass,
       .spoil = one_record(100),
       .expected = in_layer("log", "own_crossentropy"),
       .loss = Loss("own_crossentropy",
                    [](const Tensor& y_true, const Tensor& y_pred) {
                      return mean(-(y_true * log(y_pred) + (1 - y_true) * log(1 - y_pred)), {-1});
                    }),
       .head_activation = "sigmoid"},
      {.name = "PenaltyOfHugeWeights",
       .middle = pass,
       .spoil = [](NanData& data) { data.x.assign(data.x.size(), 1e-20f); },
       .expected = for_all("square", "head"),
       .prepare = spoils("head/kernel", 1e20f),
       .head_regularizer = L2(0.01)},
  };
}

std::vector<NanCase> weight_cases() {
  return {
      {.name = "KernelIsNan",
       .middle = hidden,
       .spoil = leave,
       .expected = in_weight("hidden/kernel", "hidden"),
       .prepare = spoils("hidden/kernel", kNan)},
      {.name = "BiasIsInfinite",
       .middle = hidden,
       .spoil = leave,
       .expected = in_weight("hidden/bias", "hidden"),
       .prepare = spoils("hidden/bias", kInfinity)},
      {.name = "ScaleOfANormalisationIsNan",
       .middle = [](const Tensor& x) { return BatchNormalization({.name = "normal"})(x); },
       .spoil = leave,
       .expected = in_weight("normal/gamma", "normal"),
       .prepare = spoils("normal/gamma", kNan)},
      {.name = "KernelOfAnLSTMIsNan",
       .middle =
           [](const Tensor& x) { return LSTM({.units = 2, .name = "recurrent"})(as_sequence(x)); },
       .spoil = leave,
       .expected = in_weight("recurrent/lstm_cell/kernel", "recurrent/lstm_cell"),
       .prepare = spoils("recurrent/lstm_cell/kernel", kNan)},
      {.name = "KernelIsHuge",
       .middle = hidden,
       .spoil = [](NanData& data) { data.x.assign(data.x.size(), 4); },
       .expected = for_all("matmul", "hidden"),
       .prepare = spoils("hidden/kernel", 3e38f)},
      {.name = "RateTooHigh",
       .middle = hidden,
       .spoil = leave,
       .expected = for_all("matmul", "hidden"),
       .learning_rate = 30,
       .epochs = 40},
      {.name = "RateThatMakesWeightsInfinite",
       .middle = hidden,
       .spoil = leave,
       .expected = {.op = "update", .layer = "below", .weight = "below/kernel"},
       .learning_rate = 1e38,
       .epochs = 2},
  };
}

std::vector<NanCase> data_cases() {
  return {
      {.name = "NumberIsNan",
       .middle = hidden,
       .spoil = one_number(kNan),
       .expected = in_layer("input", "below")},
      {.name = "NumberIsInfinite",
       .middle = hidden,
       .spoil = one_number(-kInfinity),
       .expected = in_layer("input", "below")},
      {.name = "TargetIsNan",
       .middle = hidden,
       .spoil = one_target(kNan),
       .expected = in_layer("input", "mean_squared_error")},
      {.name = "TargetIsInfinite",
       .middle = hidden,
       .spoil = one_target(kInfinity),
       .expected = in_layer("input", "mean_squared_error")},
      {.name = "SampleWeightIsNan",
       .middle = hidden,
       .spoil =
           [](NanData& data) {
             data.weights.assign(data.y.size(), 1);
             data.weights[5] = kNan;
           },
       .expected = in_layer("input", "mean_squared_error")},
  };
}

class NanInTraining : public ::testing::TestWithParam<NanCase> {};

TEST_P(NanInTraining, IsNamed) {
  EXPECT_EQ(testing::train_until_bad(GetParam()), GetParam().expected);
}

std::string title_of(const ::testing::TestParamInfo<NanCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Layers, NanInTraining, ::testing::ValuesIn(layer_cases()), title_of);
INSTANTIATE_TEST_SUITE_P(Losses, NanInTraining, ::testing::ValuesIn(loss_cases()), title_of);
INSTANTIATE_TEST_SUITE_P(Weights, NanInTraining, ::testing::ValuesIn(weight_cases()), title_of);
INSTANTIATE_TEST_SUITE_P(Data, NanInTraining, ::testing::ValuesIn(data_cases()), title_of);

TEST(NanInAFile, IsNamedByItsWeight) {
  const TemporaryFolder folder;
  reset_names();
  const Tensor input = Input({.shape = {4}});
  Model model({input}, {Dense({.units = 1, .name = "head"})(hidden(input))});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  set_first_weight(model, "head/kernel", kNan);
  model.save(folder.path("damaged.keras"));
  Model loaded = load_model(folder.path("damaged.keras")).model;
  const NanData data;
  try {
    loaded.fit(constant(data.x, {20, 4}), constant(data.y, {20, 1}), {.verbose = 0});
    FAIL() << "it was trained";
  } catch (const NotFiniteStep& error) {
    EXPECT_EQ(error.operation(), "weight");
    EXPECT_EQ(error.layer(), "head");
    EXPECT_EQ(error.first().name, "head/kernel");
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the weight 'head/kernel' in layer 'head' has "
                                                   "NaN before the step"));
  }
}

}  // namespace
}  // namespace plimsoll
