#include "plimsoll/train/data/check_against_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/check/check_records.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/train/data/input_use.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

InputUse input_use(const Model& model) {
  return input_uses(model.network())[0];
}

TEST(InputUses, FindsTheLayerThatMultiplies) {
  const Sequential model({InputLayer({.shape = {4, 4, 3}}), RandomFlip(), Flatten(),
                          Dense({.units = 2, .name = "head"})});
  EXPECT_EQ(input_use(model).kind, InputUse::Kind::weights);
  EXPECT_EQ(input_use(model).layer, "head");
  EXPECT_EQ(input_use(model).scale, 1);
}

TEST(InputUses, AddsUpWhatRescalingDoes) {
  const Sequential model({InputLayer({.shape = {4}}), Rescaling({.scale = 0.5, .offset = 1}),
                          Rescaling({.scale = 3, .offset = -2}), Dense({.units = 2})});
  EXPECT_EQ(input_use(model).kind, InputUse::Kind::weights);
  EXPECT_DOUBLE_EQ(input_use(model).scale, 1.5);
  EXPECT_DOUBLE_EQ(input_use(model).offset, 1);
}

TEST(InputUses, LooksIntoNetworksAndGraphs) {
  const Sequential inner({InputLayer({.shape = {4}}), Dense({.units = 4, .name = "deep"})});
  const Tensor one = Input({.shape = {4}, .name = "one"}), two = Input({.shape = {3}});
  const Model model({one, two}, {inner(Rescaling({.scale = 0.1})(one)),
                                 Dense({.units = 1})(BatchNormalization()(two))});
  const auto uses = input_uses(model.network());
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].kind, InputUse::Kind::weights);
  EXPECT_EQ(uses[0].layer, "deep");
  EXPECT_DOUBLE_EQ(uses[0].scale, 0.1);
  EXPECT_EQ(uses[1].kind, InputUse::Kind::other);
}

TEST(InputUses, KnowsTheRowsOfATable) {
  const Sequential model({InputLayer({.shape = {6}}), Embedding({.input_dim = 50, .output_dim = 2}),
                          Flatten(), Dense({.units = 1})});
  EXPECT_EQ(input_use(model).kind, InputUse::Kind::table);
  EXPECT_EQ(input_use(model).rows, 50);
}

Sequential classifier(const char* loss, int64_t classes = 3) {
  Sequential model({InputLayer({.shape = {2}}), Dense({.units = classes, .name = "kind"})});
  model.compile({.loss = loss});
  return model;
}

CheckReport report_of(std::vector<FieldSummary> fields) {
  CheckReport report;
  report.fields = std::move(fields);
  return report;
}

FieldSummary images(double least, double largest, double mean, double deviation) {
  return {.name = "x",
          .spec = {DType::float32, {4, 4, 3}},
          .least = least,
          .largest = largest,
          .mean = mean,
          .deviation = deviation,
          .values = 1000};
}

std::vector<CheckWarning> scale_warnings(const std::vector<Layer>& start,
                                         const FieldSummary& field) {
  std::vector<Layer> layers = {InputLayer({.shape = {4, 4, 3}})};
  layers.insert(layers.end(), start.begin(), start.end());
  layers.push_back(Conv2D({.filters = 2, .kernel_size = {3, 3}, .name = "conv"}));
  const Sequential model(layers);
  CheckReport report = report_of({field});
  check_against_model(model, "photos", report);
  return report.warnings;
}

TEST(CheckAgainstModel, WarnsOfImagesThatNobodyScales) {
  const FieldSummary raw = images(0, 255, 120, 60);
  const auto warnings = scale_warnings({}, raw);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].reason, "scale");
  EXPECT_THAT(warnings[0].what, HasSubstr("'x' has numbers from 0 to 255"));
  EXPECT_THAT(warnings[0].what, HasSubstr("layer 'conv'"));
  EXPECT_THAT(warnings[0].remedy, HasSubstr("Rescaling"));
  EXPECT_THAT(scale_warnings({Rescaling({.scale = 1.0 / 255})}, raw), IsEmpty());
  EXPECT_THAT(scale_warnings({BatchNormalization()}, raw), IsEmpty());
}

TEST(CheckAgainstModel, WarnsOfImagesThatAreScaledTwice) {
  const FieldSummary scaled = images(0, 1, 0.45, 0.25);
  EXPECT_THAT(scale_warnings({}, scaled), IsEmpty());
  const auto warnings = scale_warnings({Rescaling({.scale = 1.0 / 255})}, scaled);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].what, HasSubstr("which the model makes 0 to 0.003922"));
}

TEST(CheckAgainstModel, NamesTheColumnsOfALargeScale) {
  FieldSummary table{.name = "x", .spec = {DType::float32, {2}}, .largest = 90000, .values = 10};
  table.columns = {{"rooms", 1, 8, 5}, {"area", 20, 90000, 5}};
  CheckReport report = report_of({table});
  check_against_model(classifier("mse"), "t.csv", report);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_THAT(report.warnings[0].examples, ElementsAre("area"));
}

FieldSummary target(Shape shape, double least, double largest) {
  return {.name = "y",
          .role = FieldRole::target,
          .spec = {DType::float32, shape},
          .least = least,
          .largest = largest,
          .values = 10};
}

std::vector<BadEntry> bad_targets(const char* loss, const FieldSummary& field) {
  CheckReport report = report_of({field});
  check_against_model(classifier(loss), "d.npz", report);
  return report.bad;
}

TEST(CheckAgainstModel, TargetsHaveTheShapeOfTheLoss) {
  EXPECT_THAT(bad_targets("sparse_categorical_crossentropy", target({}, 0, 2)), IsEmpty());
  EXPECT_THAT(bad_targets("categorical_crossentropy", target({3}, 0, 1)), IsEmpty());
  const auto vectors = bad_targets("sparse_categorical_crossentropy", target({3}, 0, 1));
  ASSERT_EQ(vectors.size(), 1u);
  EXPECT_EQ(vectors[0].flaw, Flaw::shape);
  EXPECT_EQ(vectors[0].path, "d.npz");
  EXPECT_THAT(vectors[0].detail, HasSubstr("has 3 number(s) per record"));
  EXPECT_EQ(bad_targets("categorical_crossentropy", target({}, 0, 2)).size(), 1u);
}

TEST(CheckAgainstModel, WarnsOfTargetsThatAreNoProbabilities) {
  CheckReport report = report_of({target({1}, -1, 1)});
  check_against_model(classifier("binary_crossentropy", 1), "d.npz", report);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].reason, "label_range");
}

SourcePtr records(const Specs& fields) {
  std::vector<HostTensor> tensors;
  for (const Spec& field : fields) {
    const Spec whole{field.dtype, field.shape.with(0, 2)};
    tensors.push_back({whole, std::make_shared<Storage>(whole.bytes())});
  }
  return from_tensor_slices(std::move(tensors));
}

TEST(FieldsToCheck, LabelsAreThoseOfTheLoss) {
  const Dataset data(records({{DType::float32, {2}}, {DType::int32, {}}}));
  const auto sparse = fields_to_check(classifier("sparse_categorical_crossentropy"), data);
  ASSERT_EQ(sparse.size(), 2u);
  EXPECT_EQ(sparse[0].name, "x");
  EXPECT_EQ(sparse[1].role, FieldRole::target);
  EXPECT_EQ(sparse[1].limit, 3);
  EXPECT_EQ(sparse[1].is_classes, true);
  const auto prices = fields_to_check(classifier("mse"), data);
  EXPECT_EQ(prices[1].limit, 0);
  EXPECT_EQ(prices[1].is_classes, false);
}

TEST(FieldsToCheck, IgnoredClassesAndSampleWeightsAreKnown) {
  Sequential model({InputLayer({.shape = {2}}), Dense({.units = 4})});
  model.compile({.loss = SparseCategoricalCrossentropy({.ignore_class = -1})});
  Dataset data(records({{DType::float32, {2}}, {DType::int32, {}}, {DType::float32, {}}}));
  data.targets = 1;
  data.sample_weights = 1;
  const auto fields = fields_to_check(model, data);
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[1].ignored, -1);
  EXPECT_EQ(fields[2].role, FieldRole::weight);
}

}  // namespace
}  // namespace plimsoll
