// What the doctor knows of models, data and runs of a program.
#include "plimsoll/train/examine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "plimsoll/guards/doctor/case_of_output.h"
#include "plimsoll/plimsoll.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

constexpr int64_t kCount = 120;

struct Numbers {
  Tensor x, labels;
  Numbers() {
    std::vector<float> values;
    std::vector<int64_t> classes;
    for (int64_t i = 0; i < kCount; ++i) {
      values.push_back(std::sin(static_cast<float>(i)));
      values.push_back(5);
      values.push_back(std::cos(3 * static_cast<float>(i)));
      classes.push_back(i < kCount / 2 ? 0 : 1);
    }
    x = constant(values, {kCount, 3});
    labels = constant(classes, {kCount});
  }
};

Model classifier(const std::string& hidden) {
  reset_names();
  set_random_seed(3);
  Sequential model({Dense({.units = 8, .activation = hidden, .name = "hidden"}),
                    Dropout({.rate = 0.25, .name = "drops"}),
                    Dense({.units = 2, .activation = "softmax", .name = "head"})});
  model.compile({.optimizer = Adam({.learning_rate = 0.01}),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"}});
  return model;
}

TEST(Examine, ReadsLayersAndData) {
  const Numbers numbers;
  const TrainingCase found = classifier("relu").examine(Dataset(numbers.x, numbers.labels));
  ASSERT_THAT(found.model.layers, SizeIs(3));
  EXPECT_EQ(found.model.layers[0].activation, "relu");
  EXPECT_TRUE(found.model.layers[0].is_product);
  EXPECT_THAT(found.model.layers[0].feeds, ElementsAre(1));
  EXPECT_NEAR(found.model.layers[0].kernel_spread, 1, 0.4);
  EXPECT_EQ(found.model.layers[1].dropout, 0.25);
  EXPECT_EQ(found.model.outputs[0].activation, "softmax");
  EXPECT_EQ(found.model.outputs[0].loss, "SparseCategoricalCrossentropy");
  EXPECT_NEAR(found.model.learning_rate, 0.01, 1e-6);
  ASSERT_TRUE(found.data);
  EXPECT_EQ(found.data->inputs[0].constant_columns, 1);
  EXPECT_TRUE(found.data->inputs[0].meets_weights);
  EXPECT_THAT(found.data->targets[0].class_counts, ElementsAre(kCount / 2, kCount / 2));
  EXPECT_LT(found.data->targets[0].mixing, 0.1);  // the records are sorted
}

// The output of a model of 3 columns, and the layer that makes its numbers.
OutputFacts output_of(std::vector<Layer> layers, const Shape& input = {3}) {
  reset_names();
  layers.insert(layers.begin(), InputLayer({.shape = input}));
  Sequential model(std::move(layers));
  model.compile({.optimizer = Adam(), .loss = "binary_crossentropy"});
  return model.examine().model.outputs.at(0);
}

TEST(Examine, FindsTheProductBeforeASeparateActivation) {
  const OutputFacts found =
      output_of({Dense({.units = 8, .activation = "relu"}), Dense({.units = 1, .name = "score"}),
                 Activation({.activation = "sigmoid", .name = "squash"})});
  EXPECT_EQ(found.layer, "squash");
  EXPECT_EQ(found.product_layer, "score");
  EXPECT_EQ(found.activation, "sigmoid");
}

TEST(Examine, FollowsWrappersToTheActivation) {
  const Dense inside({.units = 2, .activation = "softmax"});
  EXPECT_EQ(output_of({TimeDistributed({.layer = inside})}, {4, 3}).activation, "softmax");
  const OutputFacts found = output_of({SpectralNormalization({.layer = Dense({.units = 1})})});
  EXPECT_EQ(found.activation, "");
  EXPECT_FALSE(found.product_layer.empty());
}

TEST(Examine, SaysThatAnOutputIsNotKnown) {
  EXPECT_EQ(output_of({Dense({.units = 2}), LayerNormalization()}).activation, kUnknownActivation);
  EXPECT_EQ(output_of({Dense({.units = 1, .activation = "sigmoid"}), Rescaling({.scale = 100})})
                .activation,
            kUnknownActivation);
  EXPECT_EQ(output_of({Dense({.units = 1}), Rescaling({.scale = 100})}).activation, "");
}

TEST(Examine, KnowsEachOfSeveralOutputs) {
  const Numbers numbers;
  reset_names();
  const Tensor x = Input({.shape = {3}});
  Model model({x}, {Dense({.units = 2, .activation = "softmax", .name = "kind"})(x),
                    Dense({.units = 3, .name = "again"})(x)});
  model.compile({.loss = {Loss("sparse_categorical_crossentropy"), Loss("mse")}});
  const Dataset data({numbers.x}, {numbers.labels, numbers.x});
  const auto teller = std::make_shared<RunStoryteller>();
  FitOptions options{.verbose = 0};
  options.callbacks = {teller};
  model.fit(data, options);
  TrainingCase found = model.examine(data);
  found.run = teller->story();
  ASSERT_THAT(found.model.outputs, SizeIs(2));
  ASSERT_THAT(found.data->targets, SizeIs(2));
  EXPECT_EQ(found.model.outputs[1].name, "again");
  for (size_t i = 0; i < 2; ++i) {
    const TrainingCase one = case_of_output(found, i);
    EXPECT_EQ(one.data->targets[0].width, i == 0 ? 1 : 3);
    EXPECT_EQ(one.run->epochs.at(0).metrics.count("loss"), 1u) << one.model.outputs[0].name;
  }
}

TEST(Examine, CountsRecordsThatTheModelHasNoPlaceFor) {
  const Numbers numbers;
  std::vector<int64_t> labels(kCount, 1);
  labels[7] = 2;
  const TrainingCase found =
      classifier("relu").examine(Dataset(numbers.x, constant(labels, {kCount})));
  EXPECT_EQ(found.data->bad_records, 1);
  const DiagnosedCause first = diagnose(found).findings.front();
  EXPECT_EQ(first.cause, "labels_out_of_range");
  EXPECT_EQ(first.record, "7");
}

TEST(Examine, NamesTheFirstRecordThatIsNotFinite) {
  const Numbers numbers;
  std::vector<float> x(3 * kCount, 1);
  x[3 * 11 + 1] = x[3 * 50] = NAN;
  const TrainingCase found =
      classifier("relu").examine(Dataset(constant(x, {kCount, 3}), numbers.labels));
  EXPECT_EQ(found.data->bad_records, 2);
  const Diagnosis diagnosis = diagnose(found);
  const auto bad = std::ranges::find(diagnosis.findings, "bad_record", &DiagnosedCause::cause);
  ASSERT_NE(bad, diagnosis.findings.end());
  EXPECT_EQ(bad->record, "11");
}

TEST(Examine, WorksWithAStorytellerInAProgram) {
  const Numbers numbers;
  Model model = classifier("linear");
  const auto teller = std::make_shared<RunStoryteller>();
  FitOptions options{.epochs = 3, .batch_size = 16, .verbose = 0};
  options.callbacks = {teller};
  model.fit(numbers.x, numbers.labels, options);
  EXPECT_EQ(teller->story().status, "done");
  EXPECT_EQ(teller->story().batch_size, 15);  // 8 batches of 120 records
  EXPECT_THAT(teller->story().epochs, SizeIs(3));
  EXPECT_FALSE(teller->story().statistics.empty());
  TrainingCase found = model.examine(Dataset(numbers.x, numbers.labels));
  found.run = teller->story();
  const Diagnosis diagnosis = diagnose(found);
  const auto linear =
      std::ranges::find(diagnosis.findings, "missing_nonlinearity", &DiagnosedCause::cause);
  ASSERT_NE(linear, diagnosis.findings.end());
  EXPECT_EQ(linear->layer, "hidden");
}

TEST(ReadRunStory, RefusesWhatIsNotARun) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { read_run_story(folder.path().string()); },
              ThrowsMessage<InvalidArgument>(HasSubstr("is not the folder of a run")));
  std::ofstream(folder.path("run.json")) << R"({"options": {}, "result": {}})";
  EXPECT_THROW(read_run_story(folder.path().string()), CorruptFile);
}

TEST(ReadRunStory, LeavesOutALineThatWasCutShort) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("run.json"))
      << R"({"options": {"batch_size": 8, "epochs": 3}, "result": {"status": "running"}})";
  std::ofstream(folder.path("log.jsonl"))
      << R"({"event":"epoch","epoch":1,"metrics":{"loss":"nan"},"samples":8})"
      << "\n"
      << R"({"event":"epoch","epo)";
  const RunStory story = read_run_story(folder.path().string());
  ASSERT_THAT(story.epochs, SizeIs(1));
  EXPECT_TRUE(std::isnan(story.epochs[0].metrics.at("loss")));
  std::ofstream(folder.path("log.jsonl")) << R"({"event":"epoch","metrics":3})"
                                          << "\n";
  EXPECT_THROW(read_run_story(folder.path().string()), CorruptFile);
}

}  // namespace
}  // namespace plimsoll
