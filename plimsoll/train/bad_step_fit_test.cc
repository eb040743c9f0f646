// What fit does about steps whose loss or gradients are not finite, and their replay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/plimsoll.h"
#include "plimsoll/train/replay.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

constexpr int64_t kCount = 24;

// Notes the records that are left out.
class LeftOut final : public Callback {
 public:
  void on_bad_record(TrainingState&, const BadRecord& record) override {
    names.push_back(record.name);
  }
  std::vector<std::string> names;
};

// Findings are not printed while it exists.
class Quiet {
 public:
  Quiet() : before_(set_finding_handler([this](const Finding& it) { found.push_back(it.what); })) {}
  ~Quiet() { set_finding_handler(before_); }
  std::vector<std::string> found;

 private:
  FindingHandler before_;
};

// The logarithm of a column, which is 0 in the records that are named.
struct Logarithms {
  Tensor x, y;
  explicit Logarithms(const std::vector<int64_t>& zeros) {
    std::vector<float> numbers(kCount, 1.5f), ones(kCount, 1);
    for (const int64_t record : zeros) numbers[static_cast<size_t>(record)] = 0;
    x = constant(numbers, {kCount, 1});
    y = constant(ones, {kCount, 1});
  }
};

Model logarithm_model() {
  reset_names();
  set_random_seed(2);
  const Tensor input = Input({.shape = {1}});
  Model model({input}, {Dense({.units = 1, .name = "head"})(log(input))});
  model.compile({.optimizer = SGD({.learning_rate = 0.1}), .loss = "mse"});
  return model;
}

FitOptions options_of(OnBadStep then, int64_t epochs = 3) {
  FitOptions options{.epochs = epochs, .batch_size = 4, .shuffle = false, .verbose = 0};
  options.on_bad_step = then;
  return options;
}

TEST(BadStep, IsSkippedAndItsRecordsAreLeftOut) {
  const Quiet quiet;
  const Logarithms data({5, 17});
  Model model = logarithm_model();
  const auto left_out = std::make_shared<LeftOut>();
  FitOptions options = options_of(OnBadStep::skip);
  options.callbacks = {left_out};
  const History history = model.fit(data.x, data.y, options);
  EXPECT_THAT(left_out->names, ElementsAre("5", "17"));
  EXPECT_THAT(quiet.found, SizeIs(2));
  EXPECT_TRUE(std::ranges::all_of(history.epochs.at("loss"),
                                  [](double loss) { return std::isfinite(loss); }));
}

TEST(BadStep, IsNotSkippedForTheThirdTime) {
  const Quiet quiet;
  const Logarithms data({1, 9, 17});
  Model model = logarithm_model();
  const auto fit = [&] { model.fit(data.x, data.y, options_of(OnBadStep::skip)); };
  EXPECT_THAT(fit, ThrowsMessage<NotFinite>(HasSubstr("log")));
}

TEST(BadStep, GoesBackToACheckpointWithHalfTheLearningRate) {
  const Quiet quiet;
  const TemporaryFolder folder;
  const Logarithms data({});
  Model model = logarithm_model();
  FitOptions options = options_of(OnBadStep::rollback, 60);
  options.run = (folder.path() / "run").string();
  options.checkpoints.every_steps = 1;
  // So large that each step makes the error much larger.
  model.optimizer()->set_learning_rate(40);
  const History history = model.fit(data.x, data.y, options);
  EXPECT_THAT(quiet.found, Contains(HasSubstr("goes back to")));
  EXPECT_LT(model.optimizer()->current_learning_rate(), 40);
  EXPECT_TRUE(std::isfinite(history.epochs.at("loss").back()));
}

TEST(BadStep, NeedsARunToGoBackTo) {
  const Logarithms data({});
  Model model = logarithm_model();
  for (const OnBadStep then : {OnBadStep::rollback, OnBadStep::repair})
    EXPECT_THAT([&] { model.fit(data.x, data.y, options_of(then)); },
                ThrowsMessage<InvalidArgument>(HasSubstr("give a run")));
}

TEST(BadStep, IsRepairedBySkippingWhereARecordIsTheCause) {
  const Quiet quiet;
  const TemporaryFolder folder;
  const Logarithms data({5});
  Model model = logarithm_model();
  FitOptions options = options_of(OnBadStep::repair);
  options.run = (folder.path() / "run").string();
  model.fit(data.x, data.y, options);
  EXPECT_THAT(quiet.found, ElementsAre(HasSubstr("is skipped")));
}

class Replay : public ::testing::Test {
 protected:
  Replay() {
    FitOptions options = options_of(OnBadStep::stop);
    options.run = run_;
    EXPECT_THROW(model_.fit(data_.x, data_.y, options), NotFinite);
  }

  const TemporaryFolder folder_;
  const std::string run_ = (folder_.path() / "run").string();
  const Logarithms data_{std::vector<int64_t>{5}};
  Model model_ = logarithm_model();
};

TEST_F(Replay, ShowsTheStepAgain) {
  ASSERT_THAT(bad_steps(run_), ElementsAre(1));
  Model again = logarithm_model();
  const ReplayedStep step = again.replay(run_, 1);
  EXPECT_THAT(step.cause, HasSubstr("log"));
  EXPECT_THAT(step.records, ElementsAre("4", "5", "6", "7"));
  ASSERT_FALSE(step.operations.empty());
  EXPECT_EQ(step.operations[0].op, "log");
  EXPECT_EQ(step.operations[0].outputs[0].infinities, 1);
  EXPECT_FALSE(step.operations.back().outputs.empty());
}

TEST_F(Replay, ShowsOneLayer) {
  const ReplayedStep step = model_.replay(run_, 1, "head");
  EXPECT_TRUE(std::ranges::all_of(step.operations,
                                  [](const ReplayedOperation& it) { return it.layer == "head"; }));
  EXPECT_THAT([&] { model_.replay(run_, 1, "tail"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("'tail'")));
}

TEST_F(Replay, RefusesTheStepOfAnotherModel) {
  Sequential other({Dense({.units = 3})});
  other.compile({.loss = "mse"});
  other(data_.x);
  EXPECT_THROW(other.replay(run_, 1), CorruptFile);
  EXPECT_THROW(model_.replay(run_, 2), IoError);
  EXPECT_THAT(bad_steps(folder_.path().string()), IsEmpty());
}

}  // namespace
}  // namespace plimsoll
