#include "plimsoll/nn/losses/loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/losses/crossentropy.h"
#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/nn/losses/mean_errors.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;
using testing::message_of;
using ::testing::StartsWith;

Loss make(const GoldenCase& golden) {
  const std::string kind = golden.text("loss");
  const std::string reduction = golden.raw("reduction", "sum_over_batch_size");
  const bool from_logits = golden.flag("from_logits", false);
  const double smoothing = golden.number("label_smoothing", 0);
  if (kind == "MeanSquaredError") return MeanSquaredError({.reduction = reduction});
  if (kind == "BinaryCrossentropy")
    return BinaryCrossentropy(
        {.from_logits = from_logits, .label_smoothing = smoothing, .reduction = reduction});
  if (kind == "CategoricalCrossentropy")
    return CategoricalCrossentropy(
        {.from_logits = from_logits, .label_smoothing = smoothing, .reduction = reduction});
  SparseCategoricalCrossentropyOptions options{.from_logits = from_logits, .reduction = reduction};
  if (golden.has("ignore_class"))
    options.ignore_class = static_cast<int64_t>(golden.number("ignore_class", 0));
  return SparseCategoricalCrossentropy(options);
}

TEST(Loss, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("losses")) {
    SCOPED_TRACE(golden.name());
    const Tensor y_pred = golden.tensor("y_pred");
    const Tensor weight =
        golden.has_tensor("sample_weight") ? golden.tensor("sample_weight") : Tensor();
    const Tensor loss = make(golden)(golden.tensor("y_true"), y_pred, weight);
    const Tensor total = sum(loss * golden.tensor("dloss"));
    const Tensor dy_pred = gradients(total, std::array{y_pred})[0];
    expect_golden(golden, "loss", loss);
    expect_golden(golden, "dy_pred", dy_pred);
  }
}

TEST(Loss, IsFoundByEachOfItsNames) {
  EXPECT_EQ(Loss("mse").name(), "mean_squared_error");
  EXPECT_EQ(Loss("MSE").name(), "mean_squared_error");
  EXPECT_EQ(Loss("MeanSquaredError").name(), "mean_squared_error");
  for (const LossKind& kind : loss_list()) {
    EXPECT_EQ(Loss(kind.name).name(), kind.make().name());
    if (!kind.class_name.empty()) {
      EXPECT_EQ(Loss(kind.class_name).name(), kind.make().name());
    }
  }
  EXPECT_EQ(Loss("BCE").name(), "binary_crossentropy");
  EXPECT_EQ(Loss("kullback_leibler_divergence").name(), "kl_divergence");
  EXPECT_THAT(
      message_of([] { Loss("hinges"); }),
      StartsWith("loss: 'hinges' is not known (did you mean hinge?; known: mean_squared_error, "));
  EXPECT_EQ(message_of([] { MeanSquaredError({.reduction = "average"}); }),
            "loss: the reduction 'average' is not known (known: sum_over_batch_size, sum, mean, "
            "mean_with_sample_weight, none)");
}

// Probabilities of 0 and 1 in float32 hide how wrong the logits are.
TEST(Loss, LooksBehindASoftmaxAndASigmoid) {
  const Tensor logits = constant(std::array{200.f, 0.f, -200.f}, {1, 3});
  const Tensor label = constant(std::array{2}, {1});
  EXPECT_FLOAT_EQ(
      static_cast<float>(Loss("sparse_categorical_crossentropy")(label, softmax(logits)).item()),
      400);
  const Tensor one_hot_label = constant(std::array{0.f, 0.f, 1.f}, {1, 3});
  EXPECT_FLOAT_EQ(
      static_cast<float>(Loss("categorical_crossentropy")(one_hot_label, softmax(logits)).item()),
      400);
  const Tensor target = constant(std::array{0.f}, {1, 1});
  const Tensor logit = constant(std::array{200.f}, {1, 1});
  EXPECT_FLOAT_EQ(static_cast<float>(Loss("binary_crossentropy")(target, sigmoid(logit)).item()),
                  200);
}

TEST(Loss, CalledCrossentropyChoosesByShapes) {
  const Loss loss("crossentropy");
  const Tensor rows = constant(std::array{0.2f, 0.8f, 0.6f, 0.4f}, {2, 2});
  const Tensor column = constant(std::array{0.2f, 0.6f}, {2, 1});
  const Tensor numbers = constant(std::array{1, 0}, {2});
  const Tensor one_hot = constant(std::array{0.f, 1.f, 1.f, 0.f}, {2, 2});
  const auto equals = [&](const char* name, const Tensor& y_true, const Tensor& y_pred) {
    EXPECT_EQ(loss(y_true, y_pred).item(), Loss(name)(y_true, y_pred).item()) << name;
  };
  equals("sparse_categorical_crossentropy", numbers, rows);
  equals("categorical_crossentropy", one_hot, rows);
  equals("binary_crossentropy", numbers, column);
}

TEST(Loss, TakesTheClassesFromTheAxisThatItIsTold) {
  const Tensor scores = constant(std::array{1.f, 4.f, 2.f, 5.f, 3.f, 7.f}, {1, 3, 2});
  const Tensor labels = constant(std::array{2, 0}, {1, 2});
  const SparseCategoricalCrossentropy first({.from_logits = true, .axis = 1});
  const SparseCategoricalCrossentropy last({.from_logits = true});
  EXPECT_EQ(first(labels, scores).item(), last(labels, transpose(scores, {0, 2, 1})).item());
  EXPECT_EQ(message_of([&] { SparseCategoricalCrossentropy({.axis = 3})(labels, scores); }),
            "crossentropy: axis 3 is not in shape (1, 3, 2)");
}

TEST(Loss, DoesNotTakeASoftmaxOverAnotherAxisForTheClasses) {
  const Tensor logits = constant(std::array{1.f, 2.f, 3.f, 4.f}, {2, 2});
  const Tensor probabilities = softmax(logits, 0);
  const Tensor labels = constant(std::array{0, 1}, {2});
  const Loss loss("sparse_categorical_crossentropy");
  const Tensor plain = constant(probabilities.to_vector(), {2, 2});
  EXPECT_NEAR(loss(labels, softmax(logits, 0)).item(), loss(labels, plain).item(), 1e-6);
}

TEST(Loss, SaysWhichShapesDoNotFitAndWhatToUse) {
  const Tensor rows = placeholder({DType::float32, {4, 3}});
  const Tensor labels = placeholder({DType::int32, {4}});
  EXPECT_EQ(message_of([&] { Loss("categorical_crossentropy")(labels, rows); }),
            "categorical_crossentropy: y_true has shape (4,), y_pred (4, 3), expected the same "
            "(for class numbers use sparse_categorical_crossentropy)");
  EXPECT_EQ(message_of([&] { Loss("sparse_categorical_crossentropy")(rows, rows); }),
            "sparse_categorical_crossentropy: y_true has shape (4, 3), y_pred (4, 3), expected one "
            "class number for each row of y_pred (for one-hot rows use categorical_crossentropy)");
  EXPECT_EQ(message_of([&] {
              Loss("mse")(placeholder({DType::float32, {4, 2}}), rows);
            }),
            "mean_squared_error: y_true has shape (4, 2), y_pred (4, 3), expected the same");
}

TEST(Loss, TakesLabelsOfAnyDtype) {
  const Tensor logits = constant(std::array{1.f, 2.f, 0.5f, -1.f}, {2, 2});
  const SparseCategoricalCrossentropy loss({.from_logits = true});
  const double expected = loss(constant(std::array{1, 0}, {2}), logits).item();
  EXPECT_EQ(loss(constant(std::array{1.f, 0.f}, {2}), logits).item(), expected);
  EXPECT_EQ(loss(constant(std::array<uint8_t, 2>{1, 0}, {2, 1}), logits).item(), expected);
  EXPECT_EQ(loss(constant(std::array<int64_t, 2>{1, 0}, {2}), logits).item(), expected);
}

TEST(Loss, TakesPredictionsOfWholeNumbers) {
  const Tensor y_true = constant(std::array{1, 2}, {1, 2}),
               y_pred = constant(std::array{3, 2}, {1, 2});
  EXPECT_EQ(Loss("mean_squared_error")(y_true, y_pred).item(), 2);
}

}  // namespace
}  // namespace plimsoll
