// Whole fits against real Keras: every number of the history, of an evaluation after it, and the
// weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "plimsoll/nn/attention/masking.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/train/model.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;

// "sequential/dense/kernel" -> "dense/kernel"
std::string short_name(const Variable& weight) {
  const std::string& name = weight.name();
  const size_t last = name.find_last_of('/');
  const size_t before = name.find_last_of('/', last - 1);
  return before == std::string::npos ? name : name.substr(before + 1);
}

const PerOutput<Loss> kSparse = "sparse_categorical_crossentropy";

Model classifier() {
  return Sequential({InputLayer({.shape = {4}}),
                     Dense({.units = 5, .activation = "tanh", .name = "hidden"}),
                     Dense({.units = 3, .activation = "softmax", .name = "head"})});
}

Model regressor() {
  return Sequential(
      {InputLayer({.shape = {4}}),
       Dense({.units = 3, .activation = "tanh", .kernel_regularizer = L2(0.01), .name = "hidden"}),
       Dense({.units = 2, .name = "head"})});
}

Model two_outputs() {
  const Tensor x = Input({.shape = {4}, .name = "x"});
  const Tensor hidden = Dense({.units = 5, .activation = "tanh", .name = "hidden"})(x);
  return Model({x}, {Dense({.units = 3, .activation = "softmax", .name = "kind"})(hidden),
                     Dense({.units = 1, .name = "area"})(hidden)});
}

Model masked() {
  return Sequential({InputLayer({.shape = {4, 3}}), Masking({.name = "mask"}),
                     Dense({.units = 2, .name = "head"})});
}

FitOptions options_of(const GoldenCase& golden) {
  FitOptions options{.epochs = static_cast<int64_t>(golden.number("epochs", 1)),
                     .shuffle = false,
                     .validation_split = golden.number("validation_split", 0),
                     .validation_freq = static_cast<int64_t>(golden.number("validation_freq", 1)),
                     .verbose = 0};
  const auto maybe = [&](const char* key) -> std::optional<int64_t> {
    if (!golden.has(key)) return std::nullopt;
    return static_cast<int64_t>(golden.number(key, 0));
  };
  options.batch_size = maybe("batch_size");
  options.steps_per_epoch = maybe("steps_per_epoch");
  options.initial_epoch = maybe("initial_epoch").value_or(0);
  options.validation_batch_size = maybe("validation_batch_size");
  options.validation_steps = maybe("validation_steps");
  for (const std::string& word : golden.words("class_weight"))
    options.class_weight[std::stoll(word)] = std::stod(word.substr(word.find(':') + 1));
  return options;
}

Columns columns(const GoldenCase& golden, const std::vector<std::string>& outputs,
                const std::string& prefix) {
  Columns columns;
  for (const std::string& output : outputs)
    if (golden.has_tensor(prefix + output))
      columns.tensors.push_back(golden.tensor(prefix + output));
  return columns;
}

void expect_numbers(const GoldenCase& golden, const std::string& name,
                    const std::vector<double>& found) {
  const std::vector<double>& wanted = golden.values(name);
  ASSERT_EQ(found.size(), wanted.size()) << name;
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], 1e-6 * std::max(1.0, wanted[i])) << name << ", " << i;
}

void fit_and_compare(const std::string& name, Model model, const CompileOptions& options,
                     const std::vector<std::string>& outputs = {"y"}) {
  SCOPED_TRACE(name);
  const GoldenCase golden = testing::read_golden("fits", name);
  model.compile(options);
  for (Variable weight : model.weights())
    weight.set(golden.tensor("w0." + short_name(weight)).to_vector());
  const Tensor x = golden.tensor("x");
  const Columns y = columns(golden, outputs, ""), w = columns(golden, outputs, "sample_weight.");

  FitOptions fit_options = options_of(golden);
  fit_options.sample_weight = w;
  const History history = model.fit(x, y, fit_options);
  for (const auto& [key, values] : history.epochs) expect_numbers(golden, "history." + key, values);
  for (const auto& [key, value] : model.evaluate(x, y, {.batch_size = 3, .sample_weight = w}))
    expect_numbers(golden, "evaluate." + key, {value});
  for (const Variable& weight : model.weights())
    expect_golden(golden, "w1." + short_name(weight), weight.value());

  // Nothing that Keras reports is missing.
  std::set<std::string> reported;
  for (const auto& [key, values] : history.epochs) reported.insert("history." + key);
  EXPECT_EQ(reported, golden.tensor_names("history."));
}

CompileOptions sgd(double rate, CompileOptions options) {
  options.optimizer = SGD({.learning_rate = rate});
  return options;
}

TEST(FitGolden, OfUnevenBatches) {
  fit_and_compare("uneven_batches", classifier(),
                  sgd(0.2, {.loss = kSparse, .metrics = {"accuracy"}}));
}

TEST(FitGolden, OfValidation) {
  for (const char* name : {"validation_split", "validation_every_second_epoch", "validation_steps"})
    fit_and_compare(name, classifier(), sgd(0.2, {.loss = kSparse, .metrics = {"accuracy"}}));
}

TEST(FitGolden, OfStepsThatAreNotTheWholeData) {
  for (const char* name : {"steps_per_epoch", "steps_without_batch_size", "initial_epoch"})
    fit_and_compare(name, classifier(), sgd(0.2, {.loss = kSparse, .metrics = {"accuracy"}}));
}

TEST(FitGolden, OfAPenaltyAndALossWeight) {
  fit_and_compare("penalty", regressor(),
                  sgd(0.1, {.loss = "mse", .loss_weights = {0.5}, .metrics = {"mae"}}));
}

TEST(FitGolden, OfSampleWeights) {
  for (const char* name : {"sample_weight", "sample_weight_in_validation"})
    fit_and_compare(
        name, regressor(),
        sgd(0.1, {.loss = "mse", .metrics = {"mae"}, .weighted_metrics = {"mae", "mse"}}));
}

TEST(FitGolden, OfClassWeights) {
  fit_and_compare(
      "class_weight", classifier(),
      sgd(0.2, {.loss = kSparse, .metrics = {"accuracy"}, .weighted_metrics = {"accuracy"}}));
  fit_and_compare("class_weight_one_hot", classifier(),
                  sgd(0.2, {.loss = "categorical_crossentropy",
                            .metrics = {"accuracy"},
                            .weighted_metrics = {"accuracy"}}));
}

TEST(FitGolden, OfTwoOutputsByName) {
  for (const char* name : {"two_outputs", "two_outputs_weighted"})
    fit_and_compare(
        name, two_outputs(),
        sgd(0.1, {.loss = {{"area", "mse"}, {"kind", "sparse_categorical_crossentropy"}},
                  .loss_weights = {{"kind", 2.0}, {"area", 0.25}},
                  .metrics = MetricsByOutput{{"kind", {"accuracy"}}, {"area", {"mae", "mse"}}},
                  .weighted_metrics = MetricsByOutput{{"area", {"mae"}}}}),
        {"kind", "area"});
}

TEST(FitGolden, OfAnOutputWithoutALoss) {
  fit_and_compare("one_output_without_loss", two_outputs(),
                  sgd(0.1, {.loss = {"sparse_categorical_crossentropy", Loss()},
                            .metrics = {{"accuracy"}, {"mae"}}}),
                  {"kind", "area"});
}

TEST(FitGolden, OfMaskedSteps) {
  for (const char* name : {"masked", "masked_and_weighted"})
    fit_and_compare(
        name, masked(),
        sgd(0.1, {.loss = "mse", .metrics = {"mae"}, .weighted_metrics = {"mae", "mse"}}));
}

}  // namespace
}  // namespace plimsoll
