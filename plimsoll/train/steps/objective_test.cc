#include "plimsoll/train/steps/objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using testing::message_of;

const std::vector<std::string> kOne = {"head"}, kTwo = {"kind", "area"};

std::vector<std::string> names(const std::vector<std::string>& outputs,
                               const CompileOptions& options) {
  return Objective("net", outputs, options).names();
}

TEST(Objective, OfOneOutputNamesMetricsPlainly) {
  EXPECT_THAT(names(kOne, {.loss = "mse"}), ElementsAre("loss"));
  EXPECT_THAT(
      names(kOne, {.loss = "mse",
                   .metrics = {"mae",
                               {"mse"},
                               Metric("mean", [](const Tensor&, const Tensor& y) { return y; })},
                   .weighted_metrics = {"mae"}}),
      ElementsAre("loss", "mae", "mse", "mean", "weighted_mae"));
}

TEST(Objective, OfSeveralOutputsNamesTheOutput) {
  const CompileOptions options{.loss = {"sparse_categorical_crossentropy", "mse"},
                               .metrics = {{"accuracy", "accuracy"}, {}},
                               .weighted_metrics = {{"accuracy", "accuracy"}, {"mae"}}};
  EXPECT_THAT(names(kTwo, options),
              ElementsAre("loss", "kind_accuracy", "kind_accuracy_1", "kind_weighted_accuracy",
                          "kind_weighted_accuracy_1", "area_mae", "kind_loss", "area_loss"));
  EXPECT_THAT(names(kTwo, {.loss = {"mse", Loss()}}), ElementsAre("loss"));
  EXPECT_THAT(names(kTwo, {.loss = "mse", .metrics = {"mae", "mse"}}),
              ElementsAre("loss", "kind_mae", "area_mse", "kind_loss", "area_loss"));
}

TEST(Objective, SaysWhatDoesNotFitTheOutputs) {
  EXPECT_EQ(message_of([] {
              names(kTwo, {.loss = {"mse", "mse", "mse"}});
            }),
            "net: loss: expected one for each of the outputs kind, area, found 3");
  EXPECT_EQ(message_of([] {
              names(kTwo, {.loss = {{"size", "mse"}}});
            }),
            "net: loss: 'size' is no output (the outputs are kind, area)");
  EXPECT_EQ(message_of([] {
              names(kTwo, {.loss = {{"kind", "mse"}}});
            }),
            "net: loss: no loss is given for the output area; Loss() leaves it untrained");
  EXPECT_THAT(names(kTwo, {.loss = {{"kind", "mse"}, {"area", Loss()}}}), ElementsAre("loss"));
  EXPECT_EQ(message_of([] {
              names(kTwo, {.loss = "mse", .loss_weights = {{"size", 2.0}}});
            }),
            "net: loss_weights: 'size' is no output (the outputs are kind, area)");
  EXPECT_EQ(message_of([] { names(kTwo, {.loss = "mse", .metrics = {"accuracy"}}); }),
            "net: metrics: expected one for each of the outputs kind, area, found 1");
}

}  // namespace
}  // namespace plimsoll
