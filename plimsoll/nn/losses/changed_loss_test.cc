#include "plimsoll/nn/losses/changed_loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/losses/crossentropy.h"
#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(LabelSmoothing, DrawsTargetsTowardsTheMiddle) {
  const Loss loss = with_label_smoothing("binary_crossentropy", 0.2);
  const Tensor truth = constant(std::array{1.f}, {1, 1}),
               guess = constant(std::array{0.5f}, {1, 1});
  // Whatever the target is, a guess of a half costs log 2.
  EXPECT_NEAR(loss(truth, guess).item(), std::log(2.0), 1e-6);
  const Tensor sure = constant(std::array{0.75f}, {1, 1});
  EXPECT_NEAR(loss(truth, sure).item(), -0.9 * std::log(0.75) - 0.1 * std::log(0.25), 1e-6);
}

TEST(LabelSmoothing, KeepsTheOtherSettings) {
  const Loss logits = CategoricalCrossentropy({.from_logits = true, .name = "mine"});
  const Json config = config_of(with_label_smoothing(logits, 0.1));
  EXPECT_EQ(config["class_name"], "CategoricalCrossentropy");
  EXPECT_EQ(config["config"]["from_logits"], true);
  EXPECT_EQ(config["config"]["label_smoothing"], 0.1);
  EXPECT_EQ(config["config"]["name"], "mine");
}

TEST(LabelSmoothing, IsRefusedForOtherLosses) {
  for (const char* name : {"mse", "sparse_categorical_crossentropy", "hinge", "crossentropy"})
    EXPECT_THAT([=] { with_label_smoothing(name, 0.1); },
                ThrowsMessage<InvalidArgument>(
                    HasSubstr("has no label smoothing (binary_crossentropy, "
                              "categorical_crossentropy, binary_focal_crossentropy, "
                              "categorical_focal_crossentropy have it)")))
        << name;
  EXPECT_THAT([] { with_label_smoothing("bce", 1); },
              ThrowsMessage<InvalidArgument>(HasSubstr("below 1, found 1")));
}

}  // namespace
}  // namespace plimsoll
