// What a check finds bad is what training fails on.
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/plimsoll.h"
#include "plimsoll/train/data/model_fields.h"

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

}  // namespace
}  // namespace plimsoll
