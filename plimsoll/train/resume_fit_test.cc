// A run of fit that is stopped anywhere and goes on ends as a run that was not stopped: with the
// same weights, history and bad records, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "plimsoll/data/stages/stages.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/plimsoll.h"
#include "tests/support/list_stream.h"
#include "tests/support/resumed_run.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using resumed::Case;
using resumed::expect_equal;
using resumed::kRecords;
using resumed::numbers;
using resumed::plain;
using resumed::regression;
using resumed::Result;
using resumed::run;

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

TEST(ResumeFit, NormsOfEarlierGradientsGoOn) {
  for (const Optimizer& optimizer : {Optimizer(Adam({.clip_percentile = 30})),
                                     Optimizer(SGD({.momentum = 0.9, .adaptive_clip = 0.01}))})
    check_every_stop({"clipping",
                      [&] { return regression(fresh_copy(optimizer)); },
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

// --- data that comes batch by batch --------------------------------------------------------------

// kRecords records in batches of 8, 5, 9, 3 and 1. If `has_bad`, every fifth is not finite, and so
// is the last, a batch of its own.
testing::ListedBatches number_batches(bool has_bad = false) {
  testing::ListedBatches batches;
  int64_t record = 0;
  for (const int64_t size : {8, 5, 9, 3, 1}) {
    std::vector<float> x, y;
    for (int64_t i = 0; i < size; ++i, ++record) {
      for (int64_t k = 0; k < 4; ++k)
        x.push_back(std::sin(static_cast<float>(record * 4 + k) * 1.7f));
      if (has_bad && record % 5 == 0) x.back() = INFINITY;
      y.push_back(std::cos(static_cast<float>(record)));
    }
    batches.push_back({testing::host_tensor(x, {size, 4}), testing::host_tensor(y, {size, 1})});
  }
  return batches;
}

Case of_stream(bool has_bad = false) {
  return {"stream",
          [] { return regression(); },
          [=] { return Dataset(testing::listed_stream(number_batches(has_bad))); },
          {.epochs = 3}};
}

TEST(ResumeFit, StreamsGoOn) {
  for (const int workers : {0, 2}) {
    Case of = of_stream();
    of.options.reading.workers = workers;
    check_every_stop(of);
  }
}

TEST(ResumeFit, EpochsOfSomeStepsGoOnWithinThePassOfAStream) {
  Case of = of_stream();
  of.options.epochs = 5;
  of.options.steps_per_epoch = 3;
  check_every_stop(of);
}

// A validation begins anew in each life, so it has fewer batches than a life that is stopped often.
TEST(ResumeFit, AStreamThatIsValidatedWithAnotherGoesOn) {
  Case of = of_stream();
  testing::ListedBatches held_back = number_batches();
  held_back.resize(2);
  of.options.validation_data = Dataset(testing::listed_stream(held_back));
  check_every_stop(of);
}

TEST(ResumeFit, BatchesOfAStreamInPartsGoOn) {
  Case of = of_stream();
  of.model = [] {
    Sequential model(
        {Dense({.units = 6, .activation = "tanh"}), Dropout({.rate = 0.3}), Dense({.units = 1})});
    model.compile({.optimizer = "adam", .loss = "mse"});
    return model;
  };
  of.options.saving.micro_batch = 3;
  check_every_stop(of);
}

// The last batch of each pass has no other record.
TEST(ResumeFit, RecordsOfAStreamThatWereLeftOutAreNotReportedAgain) {
  for (const int workers : {0, 2}) {
    Case of = of_stream(true);
    of.options.reading.bad = {.then = OnBadRecord::skip, .most = 0.5};
    of.options.reading.workers = workers;
    check_every_stop(of);
  }
}

// --- what is refused, and what is said ---------------------------------------------------------

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

}  // namespace
}  // namespace plimsoll
