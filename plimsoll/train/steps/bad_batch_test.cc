#include "plimsoll/train/steps/bad_batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr int64_t kRecords = 12, kColumns = 3;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Keeps what the loop found.
class Finder final : public Callback {
 public:
  bool on_not_finite(TrainingState& state, const NotFinite&) override {
    if (state.bad_batch != nullptr) found = *state.bad_batch;
    return false;
  }
  std::optional<BadBatch> found;
};

std::vector<float> ones_of(int64_t count) {
  return std::vector<float>(static_cast<size_t>(count), 1.0f);
}

// Of a model with one input of three columns and one output; records are 1 but for one column of
// record 7.
struct Trial {
  std::function<Tensor(const Tensor&)> make;
  float odd = 1;
  int64_t micro_batch = 0;
  double learning_rate = 0.01;
  float weight = 1;  // that the last layer begins with, if it is not 1

  BadBatch find() const {
    reset_names();
    set_random_seed(5);
    const Tensor input = Input({.shape = {kColumns}});
    const Layer head = Dense({.units = 1, .name = "head"});
    Model model({input}, {head(make(input))});
    model.compile({.optimizer = SGD({.learning_rate = learning_rate}), .loss = "mse"});
    if (weight != 1) head->own_weights()[0].set(std::vector<float>(kColumns, weight));
    std::vector<float> x = ones_of(kRecords * kColumns);
    x[7 * kColumns + 1] = odd;
    const auto finder = std::make_shared<Finder>();
    FitOptions options{.epochs = 3, .batch_size = 8, .shuffle = false, .verbose = 0};
    options.reading.allow_not_finite = true;
    if (micro_batch > 0) options.saving.micro_batch = micro_batch;
    options.callbacks = {finder};
    EXPECT_THROW(model.fit(constant(x, {kRecords, kColumns}),
                           constant(ones_of(kRecords), {kRecords, 1}), options),
                 NotFinite);
    return finder->found.value_or(BadBatch{.first = {.op = "nothing"}});
  }
};

TEST(FindBadBatch, NamesTheOperationTheLayerAndTheRecord) {
  const BadBatch bad = Trial{.make = [](const Tensor& x) { return log(x); }, .odd = 0}.find();
  EXPECT_EQ(bad.first.op, "log");
  EXPECT_THAT(bad.rows, ElementsAre(7));
  EXPECT_THAT(bad.records, ElementsAre("7"));
  ASSERT_EQ(bad.first.inputs.size(), 1u);
  EXPECT_EQ(bad.first.inputs[0].least, 0);
  EXPECT_EQ(bad.first.output.infinities, 1);
}

TEST(FindBadBatch, NamesTheLayerThatOverflows) {
  const BadBatch bad = Trial{.make =
                                 [](const Tensor& x) {
                                   return Dense({.units = kColumns,
                                                 .activation = "exponential",
                                                 .kernel_initializer = "ones",
                                                 .name = "wide"})(x);
                                 },
                             .odd = 200}
                           .find();
  EXPECT_EQ(bad.first.op, "exp");
  EXPECT_EQ(bad.first.layer, "wide");
  EXPECT_THAT(bad.records, ElementsAre("7"));
}

TEST(FindBadBatch, NamesTheOperationWhoseGradientIsNotFinite) {
  const BadBatch bad = Trial{.make =
                                 [](const Tensor& x) {
                                   return sqrt(Dense({.units = kColumns,
                                                      .use_bias = false,
                                                      .kernel_initializer = "identity",
                                                      .name = "below"})(x));
                                 },
                             .odd = 0}
                           .find();
  EXPECT_EQ(bad.first.gradient_of, "sqrt");
  EXPECT_THAT(bad.records, ElementsAre("7"));
}

TEST(FindBadBatch, NamesTheDataThatIsNotFinite) {
  const BadBatch bad =
      Trial{.make = [](const Tensor& x) { return x * 2; }, .odd = kInfinity}.find();
  EXPECT_EQ(bad.first.kind, FirstBad::Kind::input);
  EXPECT_THAT(bad.records, ElementsAre("7"));
}

TEST(FindBadBatch, NamesTheWeightThatIsNotFinite) {
  const BadBatch bad =
      Trial{.make = [](const Tensor& x) { return x * 2; }, .weight = kInfinity}.find();
  EXPECT_EQ(bad.first.kind, FirstBad::Kind::weight);
  EXPECT_EQ(bad.first.layer, "head");
  EXPECT_EQ(bad.first.name, "head/kernel");
  EXPECT_THAT(bad.records, IsEmpty());
}

TEST(FindBadBatch, BlamesNoRecordWhereAllAreTheSame) {
  const BadBatch bad = Trial{.make = [](const Tensor& x) { return x * 2; }, .weight = 1e30f}.find();
  EXPECT_EQ(bad.first.op, "square");
  EXPECT_TRUE(bad.is_every_record);
  EXPECT_THAT(bad.records, IsEmpty());
}

TEST(FindBadBatch, LooksThroughThePartsOfABatch) {
  const BadBatch bad =
      Trial{.make = [](const Tensor& x) { return log(x); }, .odd = 0, .micro_batch = 2}.find();
  EXPECT_EQ(bad.first.op, "log");
  EXPECT_THAT(bad.rows, ElementsAre(7));
}

// A mask of minus infinity that a softmax takes away is not the cause.
TEST(FindBadBatch, FollowsTheNumbersThatReachTheLoss) {
  const BadBatch bad = Trial{.make =
                                 [](const Tensor& x) {
                                   const Tensor masked = softmax(log(x * 0), -1);
                                   return log(x) + stop_gradient(maximum(masked, 0)) * 0;
                                 },
                             .odd = 0}
                           .find();
  EXPECT_EQ(bad.first.op, "log");
  EXPECT_THAT(bad.rows, ElementsAre(7));
}

TEST(Loop, NamesTheLineThatMadeTheFirstNumberThatIsNotFinite) {
  const Variables weights = {Variable("w", {DType::float32, {2}})};  // zeros
  const auto step = [&] {
    const GradientTape tape;
    const Tensor y = log(weights[0].value());
    const Tensor loss = sum(y);
    SGD().apply_gradients(tape.gradient(loss, weights), weights);
    return weights[0].value().to_vector();
  };
  EXPECT_THAT(step, ThrowsMessage<NotFinite>(AllOf(HasSubstr("bad_batch_test.cc:"),
                                                   HasSubstr("made infinite numbers"))));
}

}  // namespace
}  // namespace plimsoll
