// Batches that run in parts: the result is the whole batch's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <span>

#include "plimsoll/base/error.h"
#include "plimsoll/plimsoll.h"
#include "plimsoll/train/steps/batch_step.h"
#include "tests/support/sanitizer.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr int64_t kSamples = 46, kBatch = 10;  // the last batch has 6

Tensor numbers(const Shape& shape) {
  std::vector<float> values(static_cast<size_t>(shape.elements()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(static_cast<float>(i * i % 1013) * 0.37f);
  return constant(values, shape);
}

Tensor labels(const Shape& shape, int32_t classes) {
  std::vector<int32_t> values(static_cast<size_t>(shape.elements()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int32_t>(i * i % 101 % static_cast<size_t>(classes));
  return constant(values, shape);
}

Tensor sample_weights() {
  std::vector<float> values(kSamples);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 4) * 0.7f;
  return constant(values, {kSamples});
}

struct Case {
  const char* name;
  std::function<Model()> model;
  CompileOptions options;
  Dataset data;
  ClassWeight class_weight = {};
};

struct Outcome {
  std::vector<float> weights;
  Logs logs;
  int64_t parts = 1;
};

// Four epochs of five steps, with a validation after each.
Outcome train(const Case& it, int64_t micro_batch) {
  reset_names();
  set_random_seed(3);
  Model model = it.model();
  CompileOptions options = it.options;
  options.optimizer = SGD({.learning_rate = 0.05});
  model.compile(options);
  const History history = model.fit(it.data, {.epochs = 4,
                                              .batch_size = kBatch,
                                              .class_weight = it.class_weight,
                                              .validation_data = it.data,
                                              .saving = {.micro_batch = micro_batch},
                                              .verbose = 0});
  Outcome outcome{{}, {}, history.memory.part_count()};
  for (const auto& [name, values] : history.epochs) outcome.logs[name] = values.back();
  for (const Variable& weight : model.weights()) {
    const std::vector<float> values = weight.value().to_vector();
    outcome.weights.insert(outcome.weights.end(), values.begin(), values.end());
  }
  return outcome;
}

Model dense(double dropout = 0) {
  return Sequential({Dense({.units = 8, .activation = "tanh"}), Dropout({.rate = dropout}),
                     Dense({.units = 3, .activation = "softmax"})});
}

Model regression() {
  return Sequential({Dense({.units = 6, .activation = "relu", .kernel_regularizer = L2(0.01)}),
                     Dense({.units = 2, .activity_regularizer = L1L2({.l1 = 0.01, .l2 = 0.02})})});
}

Model convolution() {
  return Sequential({RandomFlip(), Conv2D({.filters = 4, .kernel_size = 3, .activation = "relu"}),
                     MaxPooling2D(), SpatialDropout2D({.rate = 0.2}), Flatten(),
                     Dense({.units = 3, .activation = "softmax"})});
}

// Each step of a sequence has a loss, but for those that the mask leaves out.
Model masked() {
  return Sequential({Embedding({.input_dim = 5, .output_dim = 4, .mask_zero = true}),
                     LSTM({.units = 6, .return_sequences = true}),
                     Dense({.units = 3, .activation = "softmax"})});
}

Model attention() {
  const Tensor in = Input({.shape = {5, 6}});
  Tensor x =
      in + MultiHeadAttention({.num_heads = 2, .key_dim = 3, .dropout = 0.2})(Tensors{in, in})[0];
  x = Dense({.units = 6, .activation = "gelu"})(LayerNormalization()(x));
  x = Dense({.units = 3, .activation = "softmax"})(GlobalAveragePooling1D()(x));
  return Model({in}, {x});
}

Model volumes() {
  return Sequential({Conv3D({.filters = 3, .kernel_size = 2, .activation = "relu"}),
                     MaxPooling3D({.padding = "same"}), UpSampling3D({.size = {1, 2, 2}}),
                     Conv3DTranspose({.filters = 2, .kernel_size = 2}),
                     SpatialDropout3D({.rate = 0.2}), StochasticDepth({.drop_path_rate = 0.2}),
                     AdaptiveAveragePooling3D({.output_size = 2}), Flatten(),
                     Dense({.units = 3, .activation = "softmax"})});
}

Model moving_images() {
  const ConvLSTM2DOptions inner{
      .filters = 2, .kernel_size = 2, .dropout = 0.2, .recurrent_dropout = 0.2};
  return Sequential({ConvLSTM2D({.filters = 2, .kernel_size = 2, .return_sequences = true}),
                     Bidirectional({.layer = ConvLSTM2D(inner)}), GlobalMaxPooling2D(),
                     Dense({.units = 3, .activation = "softmax"})});
}

Model two_outputs() {
  const Tensor in = Input({.shape = {5}});
  const Tensor x = Dense({.units = 7, .activation = "relu"})(in);
  return Model({in}, {Dense({.units = 3, .activation = "softmax", .name = "kind"})(x),
                      Dense({.units = 2, .name = "size"})(x)});
}

std::vector<Case> cases() {
  const Tensor x = numbers({kSamples, 5}), kind = labels({kSamples}, 3),
               size = numbers({kSamples, 2}), images = numbers({kSamples, 8, 8, 2}),
               words = labels({kSamples, 7}, 5), tags = labels({kSamples, 7}, 3);
  const std::string crossentropy = "sparse_categorical_crossentropy";
  const Metrics accuracy = {"accuracy"};
  return {
      {"mean", [] { return dense(); }, {.loss = crossentropy, .metrics = accuracy}, {x, kind}},
      {"sum",
       [] { return dense(); },
       {.loss = SparseCategoricalCrossentropy({.reduction = "sum"})},
       {x, kind}},
      {"dropout", [] { return dense(0.4); }, {.loss = crossentropy}, {x, kind}},
      {"sample weights",
       [] { return dense(); },
       {.loss = crossentropy, .metrics = accuracy, .weighted_metrics = accuracy},
       {x, kind, sample_weights()}},
      {"mean with sample weight",
       [] { return dense(); },
       {.loss = SparseCategoricalCrossentropy({.reduction = "mean_with_sample_weight"})},
       {x, kind, sample_weights()}},
      {"class weights",
       [] { return dense(); },
       {.loss = crossentropy},
       {x, kind},
       {{0, 0.5}, {1, 2}, {2, 1}}},
      {"ignored class",
       [] { return dense(); },
       {.loss = SparseCategoricalCrossentropy({.ignore_class = 1})},
       {x, kind}},
      {"regularizers", regression, {.loss = "mse", .metrics = {"mae"}}, {x, size}},
      {"convolution", convolution, {.loss = crossentropy, .metrics = accuracy}, {images, kind}},
      {"mask", masked, {.loss = crossentropy, .metrics = accuracy}, {words, tags}},
      {"attention", attention, {.loss = crossentropy}, {numbers({kSamples, 5, 6}), kind}},
      {"volumes", volumes, {.loss = crossentropy}, {numbers({kSamples, 4, 5, 4, 2}), kind}},
      {"moving images",
       moving_images,
       {.loss = crossentropy},
       {numbers({kSamples, 3, 4, 5, 2}), kind}},
      {"two outputs",
       two_outputs,
       {.loss = {crossentropy, "huber"}, .loss_weights = {0.3, 2.0}},
       {x, {kind, size}}},
  };
}

void expect_close(const Outcome& parts, const Outcome& whole) {
  ASSERT_EQ(parts.weights.size(), whole.weights.size());
  double worst = 0, largest = 0;
  for (size_t i = 0; i < whole.weights.size(); ++i) {
    worst = std::max<double>(worst, std::abs(parts.weights[i] - whole.weights[i]));
    largest = std::max<double>(largest, std::abs(whole.weights[i]));
  }
  EXPECT_LE(worst, 1e-5 * largest);
  ASSERT_EQ(parts.logs.size(), whole.logs.size());
  for (const auto& [name, value] : whole.logs)
    EXPECT_NEAR(parts.logs.at(name), value, 1e-5 * std::max(1.0, std::abs(value))) << name;
}

TEST(MicroBatch, IsTheWholeBatchButForRounding) {
  for (const Case& it : cases()) {
    const Outcome whole = train(it, kBatch);
    EXPECT_EQ(whole.parts, 1);
    const std::vector<int64_t> sizes = {4, 5, 1};
    for (const int64_t most : std::span(sizes).first(is_sanitized() ? 1 : 3)) {
      SCOPED_TRACE(std::string(it.name) + " in parts of " + std::to_string(most));
      const Outcome parts = train(it, most);
      EXPECT_EQ(parts.parts, (kBatch + most - 1) / most);
      expect_close(parts, whole);
    }
  }
}

// Layers that work on the last axis, in any order, with a branch here and there.
Model random_model(uint32_t seed) {
  std::mt19937 random(seed);
  const Tensor in = Input({.shape = {4, 6}});
  Tensor x = in;
  for (int i = 0; i < 6; ++i) {
    const std::string activation = random() % 2 == 0 ? "tanh" : "gelu";
    switch (random() % 7) {
      case 0:
        x = LayerNormalization()(x);
        break;
      case 1:
        x = Dropout({.rate = 0.25})(x);
        break;
      case 2:
        x = x + GRU({.units = x.shape()[2], .return_sequences = true})(x);
        break;
      case 3:
        x = x + MultiHeadAttention({.num_heads = 2, .key_dim = 2})(Tensors{x, x})[0];
        break;
      case 4:
        x = Conv1D({.filters = 5, .kernel_size = 3, .padding = "same"})(x);
        break;
      case 5:
        x = concatenate({x, GaussianNoise({.stddev = 0.1})(x)}, -1);
        break;
      default:
        x = Dense({.units = 4, .activation = activation, .kernel_regularizer = L2(0.01)})(x);
    }
  }
  return Model({in}, {Dense({.units = 3, .activation = "softmax"})(Flatten()(x))});
}

TEST(MicroBatch, IsTheWholeBatchInRandomModels) {
  const Dataset data(numbers({kSamples, 4, 6}), labels({kSamples}, 3));
  for (uint32_t seed = 1; seed <= (is_sanitized() ? 4 : 12); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case it{"random",
                  [&] { return random_model(seed); },
                  {.loss = "sparse_categorical_crossentropy"},
                  data};
    expect_close(train(it, 1 + seed % (kBatch - 1)), train(it, kBatch));
  }
}

Model normalized() {
  return Sequential({Dense({.units = 6, .name = "first"}), BatchNormalization({.name = "norm"}),
                     Dense({.units = 3, .activation = "softmax"})});
}

TEST(MicroBatch, IsRefusedWhereSamplesMix) {
  const Tensor x = numbers({kSamples, 5}), kind = labels({kSamples}, 3);
  const CompileOptions options = {.loss = "sparse_categorical_crossentropy"};
  const Case statistics{"statistics", normalized, options, {x, kind}};
  EXPECT_THAT([&] { train(statistics, 5); },
              ThrowsMessage<InvalidArgument>(
                  AllOf(HasSubstr("norm"), HasSubstr("batch_normalize mixes the samples"))));
  const auto scaled_by_the_batch = [] {
    const Tensor in = Input({.shape = {5}});
    const Tensor y = Dense({.units = 3})(in);
    return Model({in}, {softmax(y - mean(y, {0}))});
  };
  EXPECT_THAT(
      [&] {
        train({"mean", scaled_by_the_batch, options, {x, kind}}, 5);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("mean mixes the samples")));
  const auto softmax_over_batch = [] {
    const Tensor in = Input({.shape = {5}});
    return Model({in}, {softmax(Dense({.units = 3})(in), 0)});
  };
  EXPECT_THAT(
      [&] {
        train({"softmax", softmax_over_batch, options, {x, kind}}, 5);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("softmax mixes the samples")));
  const Loss spread("spread", [](const Tensor&, const Tensor& y) { return square(mean(y)); });
  EXPECT_THAT(
      [&] {
        train({"loss", [] { return dense(); }, {.loss = spread}, {x, kind}}, 5);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("spread: mean mixes the samples")));
}

TEST(MicroBatch, TakesTheStatisticsOfPartsWhereThatIsAllowed) {
  reset_names();
  set_random_seed(3);
  Model model = normalized();
  model.compile(
      {.optimizer = SGD({.learning_rate = 0.05}), .loss = "sparse_categorical_crossentropy"});
  const History history =
      model.fit({numbers({kSamples, 5})}, {labels({kSamples}, 3)},
                {.epochs = 8,
                 .batch_size = kBatch,
                 .saving = {.micro_batch = 5, .batch_statistics_per_part = true},
                 .verbose = 0});
  EXPECT_EQ(history.memory.part_count(), 2);
  EXPECT_LT(history.epochs.at("loss").back(), history.epochs.at("loss").front());
}

TEST(MicroBatch, NamesTheRecordsOfThePartThatIsNotFinite) {
  std::vector<float> values(static_cast<size_t>(kSamples * 5), 0.5f);
  values[7 * 5 + 2] = NAN;
  const Case it{"nan",
                [] { return dense(); },
                {.loss = "sparse_categorical_crossentropy"},
                {constant(values, {kSamples, 5}), labels({kSamples}, 3)}};
  Model model = it.model();
  model.compile(it.options);
  const auto fit = [&] {
    model.fit(it.data, {.batch_size = kBatch,
                        .shuffle = false,
                        .saving = {.micro_batch = 2},
                        .reading = {.allow_not_finite = true},
                        .verbose = 0});
  };
  EXPECT_THAT(fit, ThrowsMessage<NotFinite>(HasSubstr("batch 1 (records 6, 7): ")));
}

TEST(PartSizes, SpreadTheBatch) {
  for (int64_t batch = 1; batch < 40; ++batch)
    for (int64_t most = 0; most < 45; ++most) {
      const PartSizes sizes(batch, most);
      int64_t next = 0;
      for (int64_t i = 0; i < sizes.count; ++i) {
        ASSERT_EQ(sizes.first(i), next);
        ASSERT_GE(sizes.size(i), 1);
        ASSERT_TRUE(most == 0 || sizes.size(i) <= most);
        ASSERT_TRUE(sizes.size(i) == sizes.large || (!sizes.is_even() && i > 0));
        next += sizes.size(i);
      }
      ASSERT_EQ(next, batch);
    }
}

}  // namespace
}  // namespace plimsoll
