#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/losses/crossentropy.h"
#include "plimsoll/nn/losses/divergence.h"
#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/nn/losses/mean_errors.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;
using testing::message_of;

TEST(LossConfig, MakesTheLossThatKerasWroteDown) {
  for (const GoldenCase& golden : testing::read_goldens("loss_configs")) {
    SCOPED_TRACE(golden.name());
    const Loss loss = loss_from_config(Json::parse(golden.raw("config", "")));
    const Tensor y_pred = golden.tensor("y_pred");
    const auto maybe = [&](const char* name) {
      return golden.has_tensor(name) ? golden.tensor(name) : Tensor();
    };
    if (golden.has_tensor("mask")) y_pred.set_mask(not_equal(golden.tensor("mask"), 0));
    const Tensor value = loss(golden.tensor("y_true"), y_pred, maybe("sample_weight"));
    const Tensor total = sum(value * golden.tensor("dloss"));
    const Tensor dy_pred = gradients(total, std::array{y_pred})[0];
    expect_golden(golden, "loss", value);
    expect_golden(golden, "dy_pred", dy_pred);
  }
}

TEST(LossConfig, IsWrittenAsKerasDoes) {
  for (const GoldenCase& golden : testing::read_goldens("loss_configs")) {
    Json config = Json::parse(golden.raw("config", ""));
    Json& reduction = config["config"]["reduction"];
    if (reduction == "none") reduction = nullptr;  // two ways to say it
    EXPECT_EQ(config_of(loss_from_config(config)).dump(), config.dump()) << golden.name();
  }
}

TEST(LossConfig, IsTheNameOfALossThatWasAskedForByName) {
  for (const LossKind& kind : loss_list())
    EXPECT_EQ(config_of(loss_from_config(kind.name)), kind.name);
  EXPECT_EQ(config_of(Loss("MSE")), "MSE");
  const Json function = Json::parse(
      R"({"module": "builtins", "class_name": "function", "config": "mean_squared_error"})");
  EXPECT_EQ(config_of(loss_from_config(function)), "mean_squared_error");
}

TEST(LossConfig, KeepsWhatKerasForgets) {
  const Loss huber = loss_from_config(config_of(Huber({.delta = 2.5})));
  EXPECT_EQ(config_of(huber)["config"]["delta"], 2.5);
  const Loss cosine = loss_from_config(config_of(CosineSimilarity({.axis = 1})));
  EXPECT_EQ(config_of(cosine)["config"]["axis"], 1);
  const Loss sparse = loss_from_config(config_of(SparseCategoricalCrossentropy({.axis = 1})));
  EXPECT_EQ(config_of(sparse)["config"]["axis"], 1);
}

TEST(LossConfig, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(
      message_of([] { loss_from_config(Json::parse(R"({"class_name": "CTC"})")); }).substr(0, 28),
      "loss: 'CTC' is not known (kn");
  EXPECT_EQ(
      message_of([] {
        loss_from_config(Json::parse(R"({"class_name": "Huber", "config": {"delta": "wide"}})"));
      }),
      "loss Huber: delta must be a number, found \"wide\"");
  const Loss own("mine", [](const Tensor&, const Tensor& y_pred) { return y_pred; });
  EXPECT_EQ(message_of([&] { config_of(own); }),
            "loss: 'mine' is a function of this program, which a file cannot hold");
}

// Keras 2 writes a reduction that Keras 3 does not know, and the function.
TEST(LossConfig, IsReadFromOldFiles) {
  const Json old = Json::parse(
      R"({"class_name": "MeanSquaredError",
          "config": {"reduction": "auto", "name": "mean_squared_error", "fn": "mse"}})");
  EXPECT_EQ(loss_from_config(old).reduction(), Reduction::sum_over_batch_size);
}

}  // namespace
}  // namespace plimsoll
