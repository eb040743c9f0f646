#include "plimsoll/train/fit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::SizeIs;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

constexpr int64_t kSamples = 70;

// Two classes told apart by the sign of the sum of five numbers.
struct Toy {
  Tensor x, y;
};

Toy toy_data() {
  std::vector<float> x;
  std::vector<int32_t> y;
  for (int64_t i = 0; i < kSamples; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < 5; ++j) {
      x.push_back(std::sin(static_cast<float>(i * 5 + j) * 1.7f));
      sum += x.back();
    }
    y.push_back(sum > 0 ? 1 : 0);
  }
  return {constant(x, {kSamples, 5}), constant(y, {kSamples})};
}

Sequential toy_model(double dropout = 0) {
  set_random_seed(11);
  reset_names();  // initial weights are a function of the seed and the layers' names
  Sequential model({
      Dense({.units = 16, .activation = "relu"}),
      Dropout({.rate = dropout}),
      Dense({.units = 2, .activation = "softmax"}),
  });
  model.compile({.optimizer = Adam({.learning_rate = 0.02}),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"}});
  return model;
}

const FitOptions kQuiet = {.epochs = 30, .batch_size = 16, .verbose = 0};

std::vector<float> weights_of(const Model& model) {
  std::vector<float> all;
  for (const Variable& weight : model.weights())
    for (float value : weight.value().to_vector()) all.push_back(value);
  return all;
}

TEST(Fit, LearnsAndReportsEachEpoch) {
  const Toy data = toy_data();
  Sequential model = toy_model();
  const History history = model.fit(data.x, data.y, kQuiet);
  EXPECT_THAT(history.epochs, UnorderedElementsAre(Key("loss"), Key("accuracy")));
  EXPECT_THAT(history.epochs.at("loss"), SizeIs(30));
  EXPECT_LT(history.epochs.at("loss").back(), 0.5 * history.epochs.at("loss").front());
  EXPECT_GT(model.evaluate(data.x, data.y).at("accuracy"), 0.9);
}

TEST(Fit, ValidatesOnTheLastPart) {
  const Toy data = toy_data();
  Sequential model = toy_model();
  FitOptions options = kQuiet;
  options.validation_split = 0.3;
  const History history = model.fit(data.x, data.y, options);
  EXPECT_THAT(history.epochs, UnorderedElementsAre(Key("loss"), Key("accuracy"), Key("val_loss"),
                                                   Key("val_accuracy")));
}

TEST(Fit, EvaluationAgreesWithTheLossOfPredictionsWhateverTheBatchSize) {
  const Toy data = toy_data();
  Sequential model = toy_model();
  model.fit(data.x, data.y, kQuiet);
  const Tensor predictions = model.predict(data.x, {.batch_size = 33});
  EXPECT_EQ(predictions.shape(), (Shape{kSamples, 2}));
  const double loss = SparseCategoricalCrossentropy()(data.y, predictions).item();
  for (int64_t batch : {1, 7, 32, 100})
    EXPECT_NEAR(model.evaluate(data.x, data.y, {.batch_size = batch}).at("loss"), loss, 1e-5);
}

TEST(Fit, TheSameSeedGivesTheSameBits) {
  const Toy data = toy_data();
  Sequential one = toy_model(0.4), two = toy_model(0.4);
  const auto train = [&](Sequential& model) {
    set_random_seed(5);
    model.fit(data.x, data.y, kQuiet);
    return weights_of(model);
  };
  const std::vector<float> first = train(one), second = train(two);
  EXPECT_EQ(first, second);
  set_random_seed(6);
  Sequential other = toy_model(0.4);
  set_random_seed(6);
  other.fit(data.x, data.y, kQuiet);
  EXPECT_NE(first, weights_of(other));
}

TEST(Fit, ALoopByHandGivesTheSameWeights) {
  const Toy data = toy_data();
  Sequential fitted = toy_model(), looped = toy_model();
  fitted.predict(data.x);
  looped.predict(data.x);
  for (size_t i = 0; i < fitted.weights().size(); ++i)
    looped.weights()[i].set(fitted.weights()[i].value().to_vector());
  fitted.fit(data.x, data.y, {.epochs = 3, .batch_size = kSamples, .shuffle = false, .verbose = 0});
  const Adam optimizer({.learning_rate = 0.02});
  const SparseCategoricalCrossentropy loss_fn;
  for (int epoch = 0; epoch < 3; ++epoch) {
    const GradientTape tape;
    const Tensor loss = loss_fn(data.y, looped(data.x, {.training = true}));
    const Tensors gradients = tape.gradient(loss, looped.trainable_variables());
    optimizer.apply_gradients(gradients, looped.trainable_variables());
    EXPECT_GT(loss.item(), 0);
  }
  const std::vector<float> a = weights_of(fitted), b = weights_of(looped);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5);
}

TEST(Fit, ALabelOutOfRangeNamesTheRecordAndChangesNoWeight) {
  const Toy data = toy_data();
  std::vector<int32_t> labels = data.y.to_vector<int32_t>();
  labels[40] = 7;
  Sequential model = toy_model();
  model.predict(data.x);
  const std::vector<float> before = weights_of(model);
  EXPECT_THAT(
      [&] {
        model.fit(data.x, constant(labels, {kSamples}),
                  {.batch_size = kSamples, .shuffle = false, .verbose = 0});
      },
      ThrowsMessage<CorruptFile>(
          HasSubstr("40: the label is 7, expected a whole number from 0 to 1")));
  EXPECT_EQ(weights_of(model), before);
}

TEST(Fit, DataOfBadRecordsAloneIsAnErrorHoweverManyMayBeLeftOut) {
  const Toy data = toy_data();
  const Tensor labels = constant(std::vector<int32_t>(kSamples, 7), {kSamples});
  const ReadingOptions reading{.bad = {.then = OnBadRecord::skip, .most = 1}};
  Sequential model = toy_model();
  EXPECT_THAT([&] { model.fit(data.x, labels, {.reading = reading, .verbose = 0}); },
              ThrowsMessage<CorruptFile>(HasSubstr(
                  fmt::format("fit: all {} records are bad, so none is left", kSamples))));
  EXPECT_THAT([&] { model.evaluate(data.x, labels, {.reading = reading}); },
              ThrowsMessage<CorruptFile>(HasSubstr("evaluate: all ")));
}

TEST(Fit, AnInfiniteInputStopsTheRunBeforeAWeightChanges) {
  const Toy data = toy_data();
  std::vector<float> x = data.x.to_vector();
  x[100] = std::numeric_limits<float>::infinity();
  Sequential model = toy_model();
  model.predict(data.x);
  const std::vector<float> before = weights_of(model);
  FitOptions options{.batch_size = kSamples, .shuffle = false, .verbose = 0};
  const auto fit = [&] { model.fit(constant(x, {kSamples, 5}), data.y, options); };
  EXPECT_THAT(fit, ThrowsMessage<CorruptFile>(HasSubstr("20: column 0 of 'x' is infinite")));
  options.reading.allow_not_finite = true;
  EXPECT_THAT(
      fit, ThrowsMessage<NotFinite>(AllOf(HasSubstr("train, batch 1"), HasSubstr("not finite"))));
  EXPECT_EQ(weights_of(model), before);
}

TEST(Fit, FrozenLayersKeepTheirWeightsAndHaveNoSlots) {
  const Toy data = toy_data();
  const Layer frozen = Dense({.units = 16, .activation = "relu"});
  frozen->set_trainable(false);
  const Adam optimizer;
  Sequential model({frozen, Dense({.units = 2, .activation = "softmax"})});
  model.compile({.optimizer = optimizer, .loss = "sparse_categorical_crossentropy"});
  model.predict(data.x);
  const std::vector<float> before = frozen->weights()[0].value().to_vector();
  model.fit(data.x, data.y, kQuiet);
  EXPECT_EQ(frozen->weights()[0].value().to_vector(), before);
  // Iterations, learning rate, and two slots for each of the head's two weights.
  EXPECT_THAT(optimizer->variables(), SizeIs(2 + 4));
}

TEST(Fit, TrainsSeveralOutputsWithWeightedLosses) {
  const Toy data = toy_data();
  const Tensor input = Input({.shape = {5}});
  const Tensor hidden = Dense({.units = 8, .activation = "relu"})(input);
  Model model({input}, {Dense({.units = 2, .activation = "softmax", .name = "kind"})(hidden),
                        Dense({.units = 1, .name = "size"})(hidden)});
  model.compile({.optimizer = "adam",
                 .loss = {"sparse_categorical_crossentropy", "mse"},
                 .loss_weights = {1.0, 0.5}});
  const Tensor size = sum(data.x, {1}, true);
  const Dataset records(Tensors{data.x}, Tensors{data.y, size});
  const History history = model.fit(records, {.epochs = 30, .batch_size = 14, .verbose = 0});
  EXPECT_THAT(history.epochs,
              UnorderedElementsAre(Key("loss"), Key("kind_loss"), Key("size_loss")));
  const double kind = history.epochs.at("kind_loss").back();
  const double total = history.epochs.at("loss").back();
  EXPECT_NEAR(total, kind + 0.5 * history.epochs.at("size_loss").back(), 1e-4);
}

TEST(Fit, AccumulatedGradientsAreThoseOfALargerBatch) {
  const Toy data = toy_data();
  const auto trained = [&](int64_t batch_size, std::optional<int64_t> accumulated) {
    Sequential model = toy_model();
    model.compile(
        {.optimizer = SGD({.learning_rate = 0.1, .gradient_accumulation_steps = accumulated}),
         .loss = "sparse_categorical_crossentropy"});
    model.fit(data.x, data.y,
              {.epochs = 3, .batch_size = batch_size, .shuffle = false, .verbose = 0});
    return weights_of(model);
  };
  const std::vector<float> whole = trained(14, std::nullopt), parts = trained(7, 2);
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], parts[i], 1e-6);
}

TEST(Fit, EndsWithTheMeansOfTheWeightsWhereTheOptimizerKeepsThem) {
  const Toy data = toy_data();
  Sequential model = toy_model();
  model.compile({.optimizer = SGD({.learning_rate = 0.1, .use_ema = true, .ema_momentum = 0.5}),
                 .loss = "sparse_categorical_crossentropy"});
  std::vector<float> last;
  const LambdaCallback keep(
      {.on_epoch_end = [&](TrainingState& state) { last = weights_of(state.model); }});
  model.fit(data.x, data.y, {.epochs = 2, .verbose = 0, .callbacks = {keep}});
  EXPECT_NE(weights_of(model), last);
}

TEST(Fit, WarnsWhereTheDataEndsBeforeTheEpoch) {
  const Toy data = toy_data();
  Sequential model = toy_model();
  ::testing::internal::CaptureStderr();
  model.fit(data.x, data.y, {.epochs = 4, .batch_size = 14, .steps_per_epoch = 3, .verbose = 0});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "fit: the data ends after 2 of 3 steps of an epoch; the next one begins with its first "
            "record\n");
}

TEST(Fit, RefusesWhatDoesNotFitTogether) {
  const Toy data = toy_data();
  Sequential plain({Dense({.units = 2})});
  EXPECT_THAT([&] { plain.fit(data.x, data.y); },
              ThrowsMessage<InvalidArgument>(HasSubstr("call compile() before fit()")));
  plain.compile({});
  EXPECT_THAT([&] { plain.fit(data.x, data.y); },
              ThrowsMessage<InvalidArgument>(HasSubstr("loss")));
  Sequential model = toy_model();
  EXPECT_THROW(model.fit(data.x, data.y, {.epochs = 0}), InvalidArgument);
  EXPECT_THROW(model.fit(data.x, data.y, {.batch_size = 0}), InvalidArgument);
  EXPECT_THROW(model.fit(data.x, data.y, {.validation_split = 1.5}), InvalidArgument);
  const Tensor too_few = constant(std::vector<int32_t>{1, 0}, {2});
  EXPECT_THAT([&] { model.fit(data.x, too_few); },
              ThrowsMessage<InvalidArgument>(HasSubstr("found 70 and 2")));
  model.predict(data.x);
  const Tensor narrow = constant(std::vector<float>(12), {4, 3});
  EXPECT_THROW(model.predict(narrow), InvalidArgument);
}

TEST(Fit, AStepThatIsRefusedLeavesNothingPending) {
  const Toy data = toy_data();
  Sequential model({BatchNormalization(), Dense({.units = 3})});
  model.compile({.loss = "categorical_crossentropy"});
  const Tensor wrong = constant(std::vector<float>(kSamples * 2), {kSamples, 2});
  EXPECT_THROW(model.fit(data.x, wrong, kQuiet), InvalidArgument);
  EXPECT_FALSE(Context::current().has_assignments());
  EXPECT_EQ(sum(constant(std::vector<float>{1, 2}, {2})).item(), 3);
}

TEST(Plan, IsKnownWithoutTraining) {
  Sequential model = toy_model();
  const Specs fields = {{DType::float32, {5}}, {DType::int32, {}}};
  const MemoryPlan small = model.plan(fields, 8), large = model.plan(fields, 4096);
  EXPECT_GT(large.arena_bytes, 16 * small.arena_bytes);
  EXPECT_LE(large.arena_bytes * 1000, large.lower_bound_bytes * 1005);
  EXPECT_EQ(small.weight_bytes, (5 * 16 + 16 + 16 * 2 + 2) * 4);
  EXPECT_GT(large.peak_bytes, large.arena_bytes + large.weight_bytes);
  EXPECT_THAT(large.to_string(), AllOf(HasSubstr("dense"), HasSubstr("planned peak")));
}

TEST(FitMemory, IsNotThatOfWhatTheProcessDidBefore) {
  constexpr int64_t kMiB = int64_t{1} << 20;
  const int64_t budget = process_memory().resident_bytes / kMiB + 200;
  { Storage(500 * kMiB).touch(); }
  ASSERT_GT(process_memory().peak_resident_bytes, budget * kMiB);
  const Toy toy = toy_data();
  Sequential model = toy_model();
  const History history =
      model.fit({toy.x}, {toy.y}, {.memory = std::to_string(budget) + "MiB", .verbose = 0});
  EXPECT_LE(history.memory.peak_bytes, budget * kMiB);
}

}  // namespace
}  // namespace plimsoll
