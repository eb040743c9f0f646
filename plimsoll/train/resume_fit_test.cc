// A run of fit that is stopped anywhere and goes on ends as the run that nobody stopped: the same
// weights, history and bad records, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "plimsoll/data/stages/stages.h"
#include "plimsoll/plimsoll.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr int64_t kRecords = 26;

// A run, made anew for each try: a process that goes on has nothing of the one before it.
struct Case {
  std::string name;
  std::function<Sequential()> model;
  std::function<Dataset()> data;
  FitOptions options;
  std::function<Callbacks()> callbacks = [] { return Callbacks(); };
};

// What a run leaves.
struct Result {
  std::vector<std::vector<std::byte>> state;  // of weights and optimizer
  std::map<std::string, std::vector<double>> history;
  std::vector<int64_t> epochs;
  std::vector<std::string> bad;
  int64_t steps = 0;
};

class NoteBadRecords final : public Callback {
 public:
  explicit NoteBadRecords(std::vector<std::string>& noted) : noted_(noted) {}
  void on_bad_record(TrainingState&, const BadRecord& record) override {
    noted_.push_back(record.name + " in epoch " + std::to_string(record.epoch));
  }
  void save_state(StateWriter& to) const override { to.texts("noted", noted_); }
  void load_state(const StateReader& from) override { noted_ = from.texts("noted"); }

 private:
  std::vector<std::string>& noted_;
};

// Runs in `folder`; asked to stop after `steps` training steps, if any. Then `result` is untouched.
void run(const Case& of, const std::string& folder, std::optional<int64_t> stop_after,
         Result& result) {
  reset_names();
  set_random_seed(5);
  Sequential model = of.model();
  FitOptions options = of.options;
  options.verbose = 0;
  options.run = folder;
  options.checkpoints.every_seconds = 1e9;
  std::vector<std::string> bad;
  int64_t steps = 0, asked = 0;
  options.callbacks = of.callbacks();
  options.callbacks.emplace_back(NoteBadRecords(bad));
  options.callbacks.emplace_back(
      LambdaCallback({.on_train_batch_end = [&](TrainingState&) { ++steps; }}));
  options.checkpoints.wish = [&] {
    return stop_after && asked++ == *stop_after ? CheckpointWish::save_and_stop
                                                : CheckpointWish::none;
  };
  const History history = model.fit(of.data(), options);
  for (const Variables& variables : {model.weights(), model.optimizer()->variables()})
    for (const Variable& variable : variables)
      result.state.emplace_back(variable.data(), variable.data() + variable.spec().bytes());
  result.history = history.epochs;
  result.epochs = history.epoch;
  result.bad = bad;
  result.steps = steps;
}

void expect_equal(const Result& found, const Result& expected, const std::string& what) {
  EXPECT_TRUE(found.state == expected.state) << what << ": other weights";
  EXPECT_EQ(found.history, expected.history) << what;
  EXPECT_EQ(found.epochs, expected.epochs) << what;
  EXPECT_EQ(found.bad, expected.bad) << what;
}

// Stopped once at each place, and once at every third place of one run.
void check_every_stop(const Case& of) {
  TemporaryFolder folder;
  Result whole;
  run(of, folder.path("whole"), std::nullopt, whole);
  ASSERT_GT(whole.steps, 5);
  for (int64_t stop = 0; stop < whole.steps; ++stop) {
    const std::string place = folder.path(std::to_string(stop));
    Result result;
    EXPECT_THROW(run(of, place, stop, result), Interrupted);
    run(of, place, std::nullopt, result);
    expect_equal(result, whole, of.name + ", stopped after " + std::to_string(stop + 1));
  }
  Result often;
  for (int tries = 0;; ++tries) {
    ASSERT_LE(tries, whole.steps);
    try {
      run(of, folder.path("often"), 2, often);
      break;
    } catch (const Interrupted&) {
    }
  }
  expect_equal(often, whole, of.name + ", stopped often");
}

Dataset numbers() {
  std::vector<float> x, y;
  for (int64_t i = 0; i < kRecords * 4; ++i) x.push_back(std::sin(static_cast<float>(i) * 1.7f));
  for (int64_t i = 0; i < kRecords; ++i) y.push_back(std::cos(static_cast<float>(i)));
  return {constant(x, {kRecords, 4}), constant(y, {kRecords, 1})};
}

Sequential regression(const Optimizer& optimizer = Adam({.learning_rate = 0.02})) {
  Sequential model({Dense({.units = 6, .activation = "tanh"}), BatchNormalization(),
                    Dropout({.rate = 0.3}), Dense({.units = 1})});
  model.compile({.optimizer = optimizer, .loss = "mse", .metrics = {"mae"}});
  return model;
}

TEST(ResumeFit, DropoutShuffleAndMetricsGoOn) {
  check_every_stop({"plain", [] { return regression(); }, numbers, {.epochs = 3, .batch_size = 8}});
}

TEST(ResumeFit, ValidationEarlyStoppingAndPlateausGoOn) {
  check_every_stop(
      {"callbacks",
       [] { return regression(SGD({.learning_rate = 0.05, .momentum = 0.5})); },
       numbers,
       {.epochs = 8, .batch_size = 8, .validation_split = 0.2},
       [] {
         return Callbacks{
             EarlyStopping({.monitor = "val_loss", .patience = 3, .restore_best_weights = true}),
             ReduceLROnPlateau({.monitor = "val_loss", .factor = 0.5, .patience = 1}),
             LearningRateScheduler(
                 [](int64_t epoch, double rate) { return epoch % 2 == 1 ? rate * 0.9 : rate; })};
       }});
}

TEST(ResumeFit, EpochsOfSomeStepsGoOnWithinThePassOverTheData) {
  check_every_stop({"steps",
                    [] { return regression(); },
                    numbers,
                    {.epochs = 4, .batch_size = 5, .steps_per_epoch = 4}});
}

TEST(ResumeFit, BatchesInPartsGoOn) {
  Case of{"parts",
          [] {
            Sequential model({Dense({.units = 6, .activation = "tanh"}), Dropout({.rate = 0.3}),
                              Dense({.units = 1})});
            model.compile({.optimizer = "adam", .loss = "mse"});
            return model;
          },
          numbers,
          {.epochs = 2, .batch_size = 8}};
  of.options.saving.micro_batch = 3;
  check_every_stop(of);
}

TEST(ResumeFit, MeansOfWeightsAndSumsOfGradientsGoOn) {
  check_every_stop({"slots",
                    [] {
                      return regression(AdamW({.learning_rate = 0.01,
                                               .use_ema = true,
                                               .ema_momentum = 0.9,
                                               .gradient_accumulation_steps = 3}));
                    },
                    numbers,
                    {.epochs = 2, .batch_size = 8}});
}

TEST(ResumeFit, RecordsThatWereLeftOutAreNotReportedAgain) {
  const auto with_bad = [] {
    return Dataset(from_generator({{DType::float32, {4}}, {DType::float32, {1}}}, kRecords,
                                  [](int64_t record, const RecordWriter& into) {
                                    if (record % 9 == 4) throw CorruptFile("record is torn");
                                    for (float& x : into.field<float>(0))
                                      x = std::sin(static_cast<float>(record));
                                    into.field<float>(1)[0] = static_cast<float>(record % 3);
                                  }));
  };
  Case of{"bad records", [] { return regression(); }, with_bad, {.epochs = 3, .batch_size = 5}};
  of.options.reading.bad = {.then = OnBadRecord::skip, .most = 0.5};
  for (const int workers : {0, 2}) {
    of.options.reading.workers = workers;
    check_every_stop(of);
  }
}

TEST(ResumeFit, SequencesInBucketsGoOn) {
  const auto sentences = [] {
    const auto source = from_generator(
        {{DType::int32, {9}}, {DType::int32, {}}}, kRecords,
        [](int64_t record, const RecordWriter& into) {
          const auto words = into.field<int32_t>(0);
          std::fill(words.begin(), words.end(), 0);
          std::fill_n(words.begin(), 1 + record % 9, static_cast<int32_t>(1 + record % 3));
          into.field<int32_t>(1)[0] = static_cast<int32_t>(record % 3);
        });
    return Dataset(bucketed(source, {.boundaries = {3, 6}}));
  };
  check_every_stop({"buckets",
                    [] {
                      Sequential model(
                          {Embedding({.input_dim = 4, .output_dim = 4, .mask_zero = true}),
                           LSTM({.units = 4, .dropout = 0.2}),
                           Dense({.units = 3, .activation = "softmax"})});
                      model.compile({.optimizer = "adam",
                                     .loss = "sparse_categorical_crossentropy",
                                     .metrics = {"accuracy"}});
                      return model;
                    },
                    sentences,
                    {.epochs = 2, .batch_size = 4}});
}

TEST(ResumeFit, StatesOfStatefulLayersGoOn) {
  const auto steps = [] {
    std::vector<float> x, y;
    for (int i = 0; i < 24 * 3; ++i) x.push_back(std::sin(static_cast<float>(i)));
    for (int i = 0; i < 24; ++i) y.push_back(std::cos(static_cast<float>(i)));
    return Dataset(constant(x, {24, 3, 1}), constant(y, {24, 1}));
  };
  check_every_stop({"stateful",
                    [] {
                      Sequential model({LSTM({.units = 3, .stateful = true}), Dense({.units = 1})});
                      model.compile({.optimizer = "sgd", .loss = "mse"});
                      return model;
                    },
                    steps,
                    {.epochs = 2, .batch_size = 4, .shuffle = false}});
}

// --- what is refused, and what is said ---------------------------------------------------------

Case plain() {
  return {"plain", [] { return regression(); }, numbers, {.epochs = 3, .batch_size = 8}};
}

TEST(ResumeFit, ACheckpointThatIsWishedIsWrittenAtOnce) {
  TemporaryFolder folder;
  Case of = plain();
  set_random_seed(5);
  Sequential model = of.model();
  FitOptions options = of.options;
  options.verbose = 0;
  options.run = folder.path("run");
  options.checkpoints.keep = 100;
  int asked = 0;
  options.checkpoints.wish = [&] {
    return ++asked == 2 ? CheckpointWish::save : CheckpointWish::none;
  };
  model.fit(of.data(), options);
  // After the second step, and at the ends of epochs, of four steps each, if they come in time.
  EXPECT_TRUE(std::filesystem::exists(folder.path("run/checkpoints/000000000002.checkpoint")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("run/checkpoints/000000000003.checkpoint")));
  EXPECT_TRUE(std::filesystem::exists(folder.path("run/checkpoints/000000000012.checkpoint")));
}

TEST(ResumeFit, MoreEpochsGoOnFromTheEnd) {
  TemporaryFolder folder;
  Case shorter = plain(), longer = plain();
  shorter.options.epochs = 2;
  Result whole, part;
  run(longer, folder.path("whole"), std::nullopt, whole);
  run(shorter, folder.path("part"), std::nullopt, part);
  Result more;
  run(longer, folder.path("part"), std::nullopt, more);
  expect_equal(more, whole, "two epochs, then three");
}

TEST(ResumeFit, ARunThatIsDoneGivesItsResultAgain) {
  TemporaryFolder folder;
  Result first, second;
  run(plain(), folder.path("run"), std::nullopt, first);
  run(plain(), folder.path("run"), std::nullopt, second);
  EXPECT_EQ(second.steps, 0);
  expect_equal(second, first, "again");
}

TEST(ResumeFit, ChangedOptionsDataAndModelsAreNamed) {
  TemporaryFolder folder;
  Result result;
  EXPECT_THROW(run(plain(), folder.path("run"), 3, result), Interrupted);
  const auto refused = [&](const Case& of, const char* what) {
    EXPECT_THAT([&] { run(of, folder.path("run"), std::nullopt, result); },
                ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("cannot go on"), HasSubstr(what))));
  };
  Case other = plain();
  other.options.batch_size = 4;
  refused(other, "batch_size was 8 and is 4");
  other = plain();
  other.model = [] { return regression(SGD()); };
  refused(other, "the optimizer, losses and metrics changed");
  other = plain();
  other.model = [] { return regression(Adam({.learning_rate = 0.5})); };
  refused(other, "learning_rate was 0.02");
  other = plain();
  other.data = [] { return Dataset(take(numbers().source, kRecords - 1)); };
  refused(other, "the data: records was 26 and is 25");
  other = plain();
  other.options.batch_size = 4;
  other.options.checkpoints.allow_changed = true;
  EXPECT_NO_THROW(run(other, folder.path("run"), std::nullopt, result));
}

TEST(ResumeFit, TheNewestWholeCheckpointIsUsedAndTheOthersAreNamed) {
  TemporaryFolder folder;
  Result whole, result;
  run(plain(), folder.path("whole"), std::nullopt, whole);
  Case often = plain();
  often.options.checkpoints.every_steps = 1;
  EXPECT_THROW(run(often, folder.path("run"), 5, result), Interrupted);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("run/checkpoints")))
    files.push_back(entry.path());
  std::ranges::sort(files);
  ASSERT_EQ(files.size(), 2u);
  std::filesystem::resize_file(files.back(), std::filesystem::file_size(files.back()) / 2);
  std::vector<std::string> said;
  const auto before =
      set_finding_handler([&](const Finding& finding) { said.push_back(to_string(finding)); });
  run(plain(), folder.path("run"), std::nullopt, result);
  set_finding_handler(before);
  ASSERT_FALSE(said.empty());
  EXPECT_THAT(said[0], HasSubstr(files.back().filename().string()));
  expect_equal(result, whole, "after a torn checkpoint");
}

TEST(ResumeFit, AFileIsNotTheFolderOfARun) {
  TemporaryFolder folder;
  std::ofstream(folder.path("file")) << "not a folder";
  Result result;
  EXPECT_THROW(run(plain(), folder.path("file"), std::nullopt, result), IoError);
}

TEST(ResumeFit, ACheckpointThatCannotBeWrittenDoesNotEndTheRun) {
  TemporaryFolder folder;
  // In the way of the file that is written first.
  std::filesystem::create_directories(folder.path("file/checkpoints/unfinished.tmp/full"));
  Result whole, result;
  run(plain(), folder.path("whole"), std::nullopt, whole);
  ::testing::internal::CaptureStderr();
  run(plain(), folder.path("file"), std::nullopt, result);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("no checkpoint could be written"));
  expect_equal(result, whole, "without checkpoints");
}

}  // namespace
}  // namespace plimsoll
