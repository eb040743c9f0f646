// What fit does about steps whose loss or gradients are not finite, and their replay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/guards/doctor/read_story.h"
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

Model logarithm_model(Place where = Place::here()) {
  reset_names();
  set_random_seed(2);
  const Tensor input = Input({.shape = {1}});
  Model model({input}, {Dense({.units = 1, .name = "head"})(log({input, where}))});
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

// The error grows from step to step, so that the tenth or so is not finite.
FitOptions growing(const std::string& run, int64_t epochs) {
  FitOptions options = options_of(OnBadStep::rollback, epochs);
  options.run = run;
  return options;
}

TEST(BadStep, GoesBackToTheBeginningBeforeAnyOtherCheckpoint) {
  const Quiet quiet;
  const TemporaryFolder folder;
  const Logarithms data({});
  Model model = logarithm_model();
  FitOptions options = growing(folder.path("run"), 1);
  options.batch_size = 1;
  options.checkpoints.every_seconds = 1e9;
  model.optimizer()->set_learning_rate(40);
  const History history = model.fit(data.x, data.y, options);
  ASSERT_FALSE(quiet.found.empty());
  EXPECT_THAT(quiet.found[0], HasSubstr("000000000000.checkpoint with half"));
  EXPECT_EQ(history.epoch.size(), history.epochs.at("loss").size());
  EXPECT_TRUE(std::isfinite(history.epochs.at("loss").back()));
}

// Whatever the disk does, a checkpoint of before the step is there, also if one is kept.
TEST(BadStep, GoesBackIfOneCheckpointIsKept) {
  const Quiet quiet;
  const TemporaryFolder folder;
  const Logarithms data({});
  Model model = logarithm_model();
  FitOptions options = growing(folder.path("run"), 3);
  options.checkpoints.every_steps = 1;
  options.checkpoints.keep = 1;
  model.optimizer()->set_learning_rate(40);
  model.fit(data.x, data.y, options);
  ASSERT_FALSE(quiet.found.empty());
  EXPECT_THAT(quiet.found[0], HasSubstr("000000000009.checkpoint with half"));
}

TEST(BadStep, SaysWhyTheRunDoesNotGoBack) {
  const Quiet quiet;
  const TemporaryFolder folder;
  const Logarithms data({});
  Model model = logarithm_model();
  model.optimizer()->set_learning_rate(1e30);
  EXPECT_THAT([&] { model.fit(data.x, data.y, growing(folder.path("run"), 1)); },
              ThrowsMessage<NotFinite>(HasSubstr("does not go back, because it did so 8 times")));
  model.compile(
      {.optimizer =
           SGD({.learning_rate = CosineDecay({.initial_learning_rate = 0.1, .decay_steps = 100})}),
       .loss = "mse"});
  EXPECT_THAT([&] { model.fit(data.x, data.y, growing(folder.path("other"), 1)); },
              ThrowsMessage<InvalidArgument>(HasSubstr("a schedule decides it")));
}

// What a run leaves that goes back several times; stopped after so many batches and epochs, if any,
// it is started again.
struct GoneBack {
  std::vector<float> weights = {};
  std::map<std::string, std::vector<double>> history = {};
  std::string lines = {};  // of a CSVLogger
  bool operator==(const GoneBack&) const = default;
};

GoneBack go_back_and_on(const TemporaryFolder& folder, const std::string& name,
                        std::optional<int> stop_after) {
  const Logarithms data({});
  for (;; stop_after.reset()) {
    Model model = logarithm_model();
    FitOptions options = growing(folder.path(name), 6);
    options.checkpoints.every_steps = 4;
    options.callbacks = {CSVLogger(folder.path(name + ".csv"))};
    int asked = 0;
    options.checkpoints.wish = [&] {
      return stop_after && asked++ == *stop_after ? CheckpointWish::save_and_stop
                                                  : CheckpointWish::none;
    };
    model.optimizer()->set_learning_rate(40);
    try {
      const History history = model.fit(data.x, data.y, options);
      GoneBack left{.history = history.epochs, .lines = bytes_of(folder.path(name + ".csv"))};
      for (const Variable& weight : model.weights()) {
        const auto* numbers = reinterpret_cast<const float*>(weight.data());
        left.weights.insert(left.weights.end(), numbers, numbers + weight.spec().bytes() / 4);
      }
      return left;
    } catch (const Interrupted&) {
    }
  }
}

TEST(BadStep, ARunThatWentBackAndWasStoppedGoesOnTheSame) {
  const Quiet quiet;
  const TemporaryFolder folder;
  const GoneBack whole = go_back_and_on(folder, "whole", std::nullopt);
  ASSERT_THAT(quiet.found, SizeIs(::testing::Ge(3)));
  EXPECT_EQ(whole.history.at("loss").size(), 6u);
  EXPECT_EQ(std::ranges::count(whole.lines, '\n'), 7);
  EXPECT_EQ(whole.lines.find('\0'), std::string::npos);
  for (int stop = 1; stop < 60; stop += 4)
    EXPECT_TRUE(go_back_and_on(folder, std::to_string(stop), stop) == whole)
        << "stopped after " << stop;
}

// The first update makes the weights infinite, which the second step shows.
void fit_to_overflow(Model& model, OnBadStep then) {
  const Logarithms data({});
  const Tensor far_away = constant(std::vector<float>(kCount, 100), {kCount, 1});
  model.optimizer()->set_learning_rate(3e38);
  model.fit(data.x, far_away, options_of(then));
}

TEST(BadStep, NamesTheUpdateThatMadeAWeightInfinite) {
  Model model = logarithm_model();
  try {
    fit_to_overflow(model, OnBadStep::stop);
    FAIL() << "it was trained";
  } catch (const NotFiniteStep& error) {
    EXPECT_EQ(error.operation(), "update");
    EXPECT_EQ(error.layer(), "head");
    EXPECT_THAT(error.what(), HasSubstr("an update before the step: the weight 'head/"));
    EXPECT_THAT(error.what(), HasSubstr("SGD has the learning rate 3e+38"));
  }
  // It is so from the first step on now, and no update of this run has done it.
  try {
    fit_to_overflow(model, OnBadStep::stop);
    FAIL() << "it was trained";
  } catch (const NotFiniteStep& error) {
    EXPECT_EQ(error.operation(), "weight");
  }
}

TEST(BadStep, IsNotSkippedWhereAnUpdateMadeAWeightInfinite) {
  const Quiet quiet;
  Model model = logarithm_model();
  EXPECT_THAT([&] { fit_to_overflow(model, OnBadStep::skip); },
              ThrowsMessage<NotFinite>(HasSubstr("leaving the step out would not help")));
  EXPECT_THAT(quiet.found, IsEmpty());
}

TEST(BadStep, IsKeptByARunWithoutCheckpoints) {
  const TemporaryFolder folder;
  const Logarithms data({5});
  Model model = logarithm_model();
  FitOptions options = options_of(OnBadStep::stop);
  options.run = folder.path("run");
  options.checkpoints.keep = 0;
  EXPECT_THROW(model.fit(data.x, data.y, options), NotFinite);
  EXPECT_THAT(bad_steps(options.run), ElementsAre(1));
  EXPECT_FALSE(std::filesystem::exists(options.run + "/checkpoints"));
  EXPECT_THAT(logarithm_model().replay(options.run, 1).cause, HasSubstr("log"));
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

TEST_F(Replay, IsKnownToTheDoctorWhereTheStepIsKept) {
  EXPECT_TRUE(read_run_story(run_).not_finite.value().is_kept);
  for (const std::string& run : {folder_.path("again"), std::string()}) {
    const auto teller = std::make_shared<RunStoryteller>();
    FitOptions options = options_of(OnBadStep::stop);
    options.run = run;
    options.callbacks = {teller};
    EXPECT_THROW(logarithm_model().fit(data_.x, data_.y, options), NotFinite);
    EXPECT_EQ(teller->story().not_finite.value().is_kept, !run.empty());
  }
}

TEST_F(Replay, ShowsOneLayer) {
  const ReplayedStep step = model_.replay(run_, 1, "head");
  EXPECT_TRUE(std::ranges::all_of(step.operations,
                                  [](const ReplayedOperation& it) { return it.layer == "head"; }));
  EXPECT_THAT([&] { model_.replay(run_, 1, "tail"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("'tail'")));
}

// The model of the replay is one of a file: its lines are those of the library.
TEST_F(Replay, ShowsTheLineOfTheProgramThatTheRunKnows) {
  FitOptions options = options_of(OnBadStep::stop);
  options.run = folder_.path("program");
  Model model = logarithm_model(Place::at("train.py", 12));
  EXPECT_THROW(model.fit(data_.x, data_.y, options), NotFinite);
  const auto lines = [&](const ReplayedStep& step) {
    std::vector<std::string> found;
    for (const ReplayedOperation& it : step.operations)
      if (it.where.is_in_program()) found.push_back(it.op + " at " + it.where.to_string());
    return found;
  };
  EXPECT_THAT(lines(model_.replay(options.run, 1)), ElementsAre("log at train.py:12"));
  EXPECT_THAT(lines(model_.replay(run_, 1)), IsEmpty());
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
