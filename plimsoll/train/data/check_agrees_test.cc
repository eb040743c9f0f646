// What a check finds bad is what training and evaluation fail on.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/plimsoll.h"
#include "plimsoll/train/data/check_against_model.h"
#include "plimsoll/train/data/model_fields.h"
#include "plimsoll/train/data/open_data.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

constexpr int64_t kRows = 8;

Model model_of(const char* loss, int64_t units, const char* activation) {
  Sequential model({InputLayer({.shape = {2}}), Dense({.units = units, .activation = activation})});
  model.compile({.loss = loss});
  return model;
}

// One label in the third record, 1 in the others.
Dataset with_label(float label) {
  std::vector<float> labels(kRows, 1);
  labels[2] = label;
  return {constant(std::vector<float>(2 * kRows, 0.5f), {kRows, 2}), constant(labels, {kRows, 1})};
}

bool check_finds_it_bad(const Model& model, const Dataset& data) {
  CheckOptions options{.fields = fields_to_check(model, data)};
  return !check_records(*data.source, options).bad.empty();
}

bool fit_fails(Model model, const Dataset& data) {
  try {
    model.fit(data, {.verbose = 0});
    return false;
  } catch (const CorruptFile&) {
    return true;
  }
}

TEST(CheckAndTrain, AgreeOnLabels) {
  struct Case {
    const char* loss;
    int64_t units;
    const char* activation;
  };
  const Case cases[] = {{"sparse_categorical_crossentropy", 3, "softmax"},
                        {"binary_crossentropy", 1, "sigmoid"},
                        {"binary_focal_crossentropy", 1, "sigmoid"},
                        {"hinge", 1, "tanh"},
                        {"mse", 1, "linear"},
                        {"poisson", 1, "softplus"}};
  const float labels[] = {0, 1, 2, 3, -1, 0.02f, 0.5f, 1e9f, NAN, INFINITY, 2.5f, -0.5f};
  for (const Case& one : cases)
    for (const float label : labels) {
      const Model model = model_of(one.loss, one.units, one.activation);
      const Dataset data = with_label(label);
      EXPECT_EQ(check_finds_it_bad(model, data), fit_fails(model, data))
          << one.loss << " with the label " << label;
    }
}

TEST(CheckAndTrain, TakeWholeLabelsWhereTheLossTakesClasses) {
  const Model classes = model_of("sparse_categorical_crossentropy", 3, "softmax");
  for (const float label : {0.02f, 0.5f, 3.0f, -1.0f})
    EXPECT_TRUE(check_finds_it_bad(classes, with_label(label)));
  EXPECT_FALSE(check_finds_it_bad(classes, with_label(2)));
  const Model binary = model_of("binary_crossentropy", 1, "sigmoid");
  EXPECT_FALSE(check_finds_it_bad(binary, with_label(0.5f)));
}

// The target of a table: its columns, and what the records have in them in turn.
struct Labels {
  std::vector<std::string> columns;
  std::vector<std::string> cells;
};

const Labels kLabels[] = {
    {{"y"}, {"cat", "dog"}},
    {{"y"}, {"cat", "dog", "eel"}},
    {{"y"}, {"cat", "dog", "eel", "fox"}},
    {{"y"}, {"0", "1"}},
    {{"y"}, {"-1", "1"}},
    {{"y"}, {"0", "1", "2"}},
    {{"y"}, {"1", "2", "3"}},
    {{"y"}, {"0.25", "0.5"}},
    {{"y"}, {"-3.5", "180"}},
    {{"y"}, {"1", "2", "cat"}},
    {{"y"}, {"0", "1", ""}},
    {{"a", "b"}, {"1,0", "0,1"}},
    {{"a", "b", "c"}, {"1,0,0", "0,1,0", "0,0,1"}},
    {{"a", "b", "c"}, {"0.5,0.25,0.25", "0,0.5,0.5"}},
};

void write_table(const std::string& path, const Labels& labels) {
  constexpr size_t kRecords = 12;
  std::ofstream file(path);
  file << fmt::format("p,q,{}\n", fmt::join(labels.columns, ","));
  for (size_t i = 0; i < kRecords; ++i)
    file << fmt::format("0.{},{},{}\n", i, 12 - i, labels.cells[i % labels.cells.size()]);
}

// As `plimsoll check` does.
bool check_takes(const std::string& path, const Model& model, const DataOptions& options) {
  try {
    const DataToCheck data = open_to_check(path, &model, options);
    CheckReport report = check_records(*data.records, {.fields = data.fields, .known = data.bad});
    check_against_model(model, path, report);
    return report.bad.empty();
  } catch (const Error&) {
    return false;
  }
}

// Numbers that a loss makes infinite are taken: that depends on the weights.
template <class Use>
bool is_taken(const Use& use) {
  try {
    use();
    return true;
  } catch (const NotFinite&) {
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(CheckTrainAndEvaluate, AgreeOnEveryKindOfLabelsForEveryLossAndOutput) {
  const std::pair<int64_t, const char*> outputs[] = {
      {1, "sigmoid"}, {1, "linear"}, {2, "softmax"}, {3, "softmax"}};
  const TemporaryFolder folder;
  const std::string path = folder.path("data.csv");
  int taken = 0, refused = 0;
  for (const Labels& labels : kLabels) {
    write_table(path, labels);
    const DataOptions options{.target = labels.columns};
    for (const LossKind& loss : loss_list())
      for (const auto& [units, activation] : outputs) {
        Model model = model_of(std::string(loss.name).c_str(), units, activation);
        const bool is_good = check_takes(path, model, options);
        (is_good ? taken : refused) += 1;
        const std::string pair =
            fmt::format("{} of {} for {} unit(s), {}, {}", fmt::join(labels.cells, " "),
                        fmt::join(labels.columns, ","), units, activation, loss.name);
        EXPECT_EQ(is_taken([&] { model.evaluate(open_data(path, model, options).data); }), is_good)
            << "evaluate: " << pair;
        EXPECT_EQ(
            is_taken([&] { model.fit(open_data(path, model, options).data, {.verbose = 0}); }),
            is_good)
            << "fit: " << pair;
      }
  }
  EXPECT_GT(taken, 200);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace plimsoll
