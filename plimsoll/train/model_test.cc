#include "plimsoll/train/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/plimsoll.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::Key;
using testing::message_of;
using ::testing::SizeIs;

constexpr int64_t kSamples = 12;

Tensor numbers(const Shape& shape, float step = 0.37f) {
  std::vector<float> values;
  for (int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(std::sin(static_cast<float>(i) * step));
  return constant(values, shape);
}

// Two inputs, two outputs.
Model crossing() {
  reset_names();
  set_random_seed(3);
  const Tensor left = Input({.shape = {3}, .name = "left"});
  const Tensor right = Input({.shape = {2}, .name = "right"});
  const Tensor joined = concatenate({left, right});
  return Model({left, right}, {Dense({.units = 2, .activation = "softmax", .name = "kind"})(joined),
                               Dense({.units = 1, .name = "area"})(joined)});
}

struct CrossingData {
  Tensor left = numbers({kSamples, 3}), right = numbers({kSamples, 2}, 0.7f);
  Tensor kind = constant(std::vector<int32_t>{0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1}, {kSamples});
  Tensor area = numbers({kSamples, 1}, 0.9f);
};

const CompileOptions kCrossing = {
    .optimizer = "sgd",
    .loss = {{"kind", "sparse_categorical_crossentropy"}, {"area", "mse"}},
    .metrics = MetricsByOutput{{"kind", {"accuracy"}}}};

std::vector<float> all_weights(const Model& model) {
  std::vector<float> all;
  for (const Tensor& weight : model.get_weights())
    for (const float value : weight.to_vector()) all.push_back(value);
  return all;
}

TEST(Model, TakesDataByPositionAndByName) {
  const CrossingData data;
  const FitOptions options{.epochs = 2, .batch_size = 5, .verbose = 0};
  const auto trained = [&](const auto& fit) {
    Model model = crossing();
    model.compile({.optimizer = SGD({.learning_rate = 0.1}),
                   .loss = kCrossing.loss,
                   .metrics = MetricsByOutput{{"kind", {"accuracy"}}}});
    fit(model);
    return all_weights(model);
  };
  const auto by_position = trained([&](Model& model) {
    model.fit({data.left, data.right}, {data.kind, data.area}, options);
  });
  const auto by_name = trained([&](Model& model) {
    model.fit({{"right", data.right}, {"left", data.left}},
              {{"area", data.area}, {"kind", data.kind}}, options);
  });
  const auto by_dataset = trained([&](Model& model) {
    model.fit(Dataset({{"right", data.right}, {"left", data.left}}, {data.kind, data.area}),
              options);
  });
  EXPECT_EQ(by_position, by_name);
  EXPECT_EQ(by_position, by_dataset);

  Model model = crossing();
  const Tensors one = model.predict({data.left, data.right});
  const Tensors other = model.predict({{"right", data.right}, {"left", data.left}});
  const Tensors third =
      model.predict(Dataset({data.left, data.right}, {data.kind, data.area}), {.batch_size = 5});
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one[i].to_vector(), other[i].to_vector());
    EXPECT_EQ(one[i].shape(), third[i].shape());
  }
}

TEST(Model, StepsOnSingleBatches) {
  const CrossingData data;
  Model model = crossing();
  model.compile(kCrossing);
  const Logs before = model.test_on_batch({data.left, data.right}, {data.kind, data.area});
  EXPECT_THAT(before,
              ElementsAre(Key("area_loss"), Key("kind_accuracy"), Key("kind_loss"), Key("loss")));
  const Logs first = model.train_on_batch({data.left, data.right}, {data.kind, data.area});
  EXPECT_NEAR(first.at("loss"), before.at("loss"), 1e-6);  // of the batch, before the update
  for (int i = 0; i < 20; ++i)
    model.train_on_batch({data.left, data.right}, {data.kind, data.area});
  const Logs after = model.test_on_batch({data.left, data.right}, {data.kind, data.area});
  EXPECT_LT(after.at("loss"), before.at("loss"));
  EXPECT_THAT(model.predict_on_batch({data.left, data.right}), SizeIs(2));
}

TEST(Model, WeighsASampleOfABatch) {
  const Tensor x = numbers({2, 3}), y = numbers({2, 1}, 0.9f);
  Sequential model({InputLayer({.shape = {3}}), Dense({.units = 1})});
  model.compile({.loss = "mse"});
  const double first = model.test_on_batch(numbers({1, 3}), numbers({1, 1}, 0.9f)).at("loss");
  const Tensor weight = constant(std::vector<float>{1, 0}, {2});
  EXPECT_NEAR(model.test_on_batch(x, y, {.sample_weight = weight}).at("loss"), first / 2, 1e-6);
}

TEST(Model, GivesAndTakesWeights) {
  Model one = crossing(), other = crossing();
  for (Variable weight : other.weights())
    weight.set(std::vector<float>(static_cast<size_t>(weight.shape().elements()), 0.5f));
  const Tensors kept = one.get_weights();
  other.set_weights(kept);
  EXPECT_EQ(all_weights(one), all_weights(other));
  one.weights()[0].set(std::vector<float>(10, 7.0f));
  EXPECT_NE(kept[0].to_vector()[0], 7.0f);  // a copy
  EXPECT_EQ(one.count_params(), 5 * 2 + 2 + 5 + 1);
  EXPECT_EQ(message_of([&] { one.set_weights({kept[0]}); }),
            one.name() + ": set_weights expects 4 tensors, found 1");
  EXPECT_EQ(message_of([&] {
              one.set_weights({kept[1], kept[0], kept[2], kept[3]});
            }),
            one.name() + ": the weight " + one.weights()[0].name() +
                " is float32 (5, 2), found float32 (2,)");
}

TEST(Model, FindsItsLayersByName) {
  Model model = crossing();
  EXPECT_EQ(model.get_layer("area")->class_name(), "Dense");
  EXPECT_EQ(message_of([&] { model.get_layer("size"); }).substr(0, 40),
            (model.name() + ": has no layer 'size' (it has ").substr(0, 40));
}

TEST(Model, SharesNothingWithAnotherThatWasCompiledAlike) {
  const CrossingData data;
  const CompileOptions options = {.optimizer = Adam({.learning_rate = 0.1}),
                                  .loss = kCrossing.loss};
  Model one = crossing(), two = crossing();
  one.compile(options);
  two.compile(options);
  for (Model* model : {&one, &two})
    model->fit({data.left, data.right}, {data.kind, data.area}, {.epochs = 2, .verbose = 0});
  EXPECT_EQ(all_weights(one), all_weights(two));
  EXPECT_EQ(two.optimizer()->iterations().value().item(), 2);
  EXPECT_NEAR(two.optimizer()->current_learning_rate(), 0.1, 1e-7);
}

TEST(Model, BeginsStatefulLayersAgain) {
  Sequential model({InputLayer({.shape = {3, 2}, .batch_size = 4}),
                    LSTM({.units = 3, .stateful = true}), Dense({.units = 1})});
  const Tensor x = numbers({4, 3, 2});
  const PredictOptions whole{.batch_size = 4};
  const std::vector<float> first = model.predict(x, whole).to_vector();
  EXPECT_NE(model.predict(x, whole).to_vector(), first);
  model.reset_states();
  EXPECT_EQ(model.predict(x, whole).to_vector(), first);
}

TEST(Model, SetsStopTrainingAsideWhenItBeginsAgain) {
  const CrossingData data;
  Model model = crossing();
  model.compile(kCrossing);
  model.stop_training() = true;
  const History history =
      model.fit({data.left, data.right}, {data.kind, data.area}, {.epochs = 2, .verbose = 0});
  EXPECT_THAT(history.epoch, ElementsAre(0, 1));
}

TEST(Model, ReadsFrozenLayersWhenItIsFitted) {
  const CrossingData data;
  Model model = crossing();
  model.compile(kCrossing);
  model.fit({data.left, data.right}, {data.kind, data.area}, {.verbose = 0});
  model.get_layer("kind")->set_trainable(false);
  const std::vector<float> before = model.get_layer("kind")->weights()[0].value().to_vector();
  model.fit({data.left, data.right}, {data.kind, data.area}, {.verbose = 0});
  EXPECT_EQ(model.get_layer("kind")->weights()[0].value().to_vector(), before);
}

TEST(Model, MustNotBeGivenWeightsTwice) {
  const CrossingData data;
  Model model = crossing();
  model.compile(kCrossing);
  const Tensor weight = numbers({kSamples});
  const Dataset records({data.left, data.right}, {data.kind, data.area}, weight);
  EXPECT_EQ(message_of([&] { model.fit(records, {.sample_weight = weight, .verbose = 0}); }),
            "fit: a Dataset has its sample_weight inside; give it as Dataset(x, y, sample_weight)");
  EXPECT_EQ(message_of([&] {
              model.fit(records, {.class_weight = {{0, 2.0}}, .verbose = 0});
            }),
            "class_weight: is for models with one output, this one has 2; use sample_weight");
}

}  // namespace
}  // namespace plimsoll
