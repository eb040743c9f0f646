// What fit leaves in the folder of its run is what `plimsoll train` leaves.
#include "plimsoll/train/runs/fit_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/plimsoll.h"
#include "plimsoll/report/known_logs.h"
#include "plimsoll/report/run_list.h"
#include "plimsoll/train/runs/run_json.h"
#include "tests/support/resumed_run.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using resumed::Case;
using resumed::expect_equal;
using resumed::kRecords;
using resumed::plain;
using resumed::regression;
using resumed::Result;
using resumed::run;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

Json run_json(const std::string& folder) {
  return Json::parse(bytes_of(folder + "/run.json"));
}

// Without what is measured and what depends on the time of day.
std::vector<Json> events(const std::string& path) {
  std::vector<Json> found;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    found.push_back(Json::parse(line));
    for (const char* key :
         {"time", "seconds", "resident_bytes", "step_seconds", "slowest_step_seconds",
          "core_wait_seconds", "peak_bytes", "measured_step_seconds", "predicted_step_seconds",
          "measured_peak_bytes", "data_wait_share"})
      found.back().erase(key);
  }
  return found;
}

std::vector<std::string> names_of(const std::vector<Json>& events) {
  std::vector<std::string> names;
  for (const Json& event : events)
    if (event["event"] != "statistics") names.push_back(event["event"]);
  return names;
}

Case validated() {
  Case of = plain();
  of.options.validation_split = 0.2;
  return of;
}

// The loss rises from the first epoch on.
Case rising() {
  Case of = validated();
  of.model = [] {
    Sequential model({Dense({.units = 1})});
    model.compile({.optimizer = SGD({.learning_rate = 4}), .loss = "mse"});
    return model;
  };
  return of;
}

// Records 4, 13 and 22 cannot be read.
Dataset with_bad_records() {
  return Dataset(from_generator({{DType::float32, {4}}, {DType::float32, {1}}}, kRecords,
                                [](int64_t record, const RecordWriter& into) {
                                  if (record % 9 == 4) throw CorruptFile("record is torn");
                                  for (float& x : into.field<float>(0))
                                    x = static_cast<float>(record) / kRecords;
                                  into.field<float>(1)[0] = 1;
                                }));
}

Case skipping() {
  Case of = plain();
  of.data = with_bad_records;
  of.options.reading.bad = {.then = OnBadRecord::skip, .most = 0.5};
  return of;
}

// The doctor can name it when the program is gone.
TEST(FitRecord, NotesTheLineWhoseTensorsAreKept) {
  const TemporaryFolder folder;
  constexpr int64_t kNumbers = 1 << 20;
  const std::vector<float> numbers(kNumbers, 1);
  std::vector<Tensor> kept;
  Case of = plain();
  of.options.epochs = 5;
  of.options.run = folder.path("leaks");
  of.options.callbacks = {LambdaCallback({.on_epoch_end = [&](TrainingState&) {
    kept.push_back(constant(numbers, {kNumbers}, Place::at("train.py", 9)));
  }})};
  const FindingHandler before = set_finding_handler([](const Finding&) {});
  of.model().fit(of.data(), of.options);
  set_finding_handler(before);
  TrainingCase found;
  found.run = read_run_story(of.options.run);
  ASSERT_THAT(found.run->growing, SizeIs(1));
  EXPECT_GE(found.run->growing[0].tensors, 4);
  EXPECT_GE(found.run->growing[0].bytes, 4 * 4 * kNumbers);
  const Diagnosis diagnosis = diagnose(found);
  const auto growth =
      std::ranges::find(diagnosis.findings, "memory_growth", &DiagnosedCause::cause);
  ASSERT_NE(growth, diagnosis.findings.end());
  EXPECT_EQ(growth->line, "train.py:9");
}

TEST(FitRecord, ARunOfAProgramIsLeftAsOneOfTheCommand) {
  TemporaryFolder folder;
  const std::string place = folder.path("runs/first");
  Result result;
  run(validated(), place, std::nullopt, result);
  for (const char* file : {"run.json", "log.jsonl", "plan.json", "model.keras", "best.keras"})
    EXPECT_TRUE(fs::is_regular_file(place + "/" + file)) << file;
  EXPECT_THAT(names_of(events(place + "/log.jsonl")),
              ElementsAre("start", "plan", "epoch", "epoch", "epoch", "end"));
  const Json json = run_json(place);
  EXPECT_EQ(json["result"]["status"], "done");
  EXPECT_EQ(json["options"]["batch_size"], 8);
  EXPECT_EQ(json["options"]["epochs"], 3);
  EXPECT_EQ(json["model"]["class"], "Sequential");
  EXPECT_EQ(json["data"]["validation_records"], 6);
  EXPECT_FALSE(json.contains("command"));
  EXPECT_THAT(json["program"]["arguments"].at(0).get<std::string>(), HasSubstr("plimsoll_tests"));
  KnownLogs known;
  const RunSummary summary = summarize_run(place, "first", known);
  EXPECT_EQ(summary.status, "done");
  EXPECT_EQ(summary.epochs, 3);
  const RunStory story = read_run_story(place);
  EXPECT_THAT(story.epochs, SizeIs(3));
  EXPECT_FALSE(story.statistics.empty());
  EXPECT_EQ(story.batch_size, 8);
}

TEST(FitRecord, SaysWhichWayMetricsGetBetter) {
  TemporaryFolder folder;
  Case of = validated();
  of.model = [] {
    Sequential model({Dense({.units = 1})});
    model.compile({.optimizer = "sgd", .loss = "mse", .metrics = {"mae", "r2_score", "poisson"}});
    return model;
  };
  // The last epoch has no validation.
  of.options.validation_freq = 2;
  Result result;
  run(of, folder.path("run"), std::nullopt, result);
  EXPECT_EQ(run_json(folder.path("run"))["result"]["directions"].dump(),
            R"({"loss":"down","mae":"down","r2_score":"up",)"
            R"("val_loss":"down","val_mae":"down","val_r2_score":"up"})");
}

// The doctor may watch one run after the other.
TEST(FitRecord, WhatALiveDoctorFindsIsInTheLog) {
  TemporaryFolder folder;
  Case of = plain();
  of.model = [] {
    Sequential model({Dense({.units = 24, .activation = "relu"}), Dense({.units = 1})});
    model.compile({.optimizer = SGD({.learning_rate = 1e20}), .loss = "mse"});
    return model;
  };
  std::vector<std::string> told;
  const auto doctor = std::make_shared<LiveDoctor>(
      resumed::numbers(),
      LiveDoctorOptions{.tell = [&](const DiagnosedCause& it) { told.push_back(it.cause); }});
  of.callbacks = [&] { return Callbacks{doctor}; };
  for (const char* name : {"first", "second"}) {
    told.clear();
    Result result;
    EXPECT_THROW(run(of, folder.path(name), std::nullopt, result), NotFinite);
    EXPECT_THAT(told, Contains("learning_rate_high"));
    std::vector<std::string> noted;
    for (const ToldCause& it : read_run_story(folder.path(name)).told) noted.push_back(it.cause);
    EXPECT_EQ(noted, told) << name;
  }
}

TEST(FitRecord, TheModelIsThatOfTheEndAndTheProgramKeepsIt) {
  TemporaryFolder folder;
  Case plainly = rising();
  plainly.options.checkpoints.keeps_record = false;
  Result without, with;
  run(plainly, folder.path("without"), std::nullopt, without);
  EXPECT_FALSE(fs::exists(folder.path("without/run.json")));
  run(rising(), folder.path("with"), std::nullopt, with);
  ASSERT_EQ(run_json(folder.path("with"))["result"]["best"]["epoch"], 1);
  expect_equal(with, without, "with a record");
  const LoadedModel loaded = load_model(folder.path("with/model.keras"));
  const Variables weights = loaded.model.weights();
  for (size_t i = 0; i < weights.size(); ++i)
    EXPECT_EQ(std::vector(weights[i].data(), weights[i].data() + weights[i].spec().bytes()),
              with.state[i]);
}

TEST(FitRecord, ARunThatGoesOnHasTheLogOfOneThatWasNotStopped) {
  for (const Case& of : {validated(), skipping()}) {
    TemporaryFolder folder;
    Result whole, result;
    run(of, folder.path("whole"), std::nullopt, whole);
    const int64_t steps = whole.steps;
    for (int64_t stop = 0; stop < steps; stop += 2) {
      const std::string place = folder.path(std::to_string(stop));
      EXPECT_THROW(run(of, place, stop, result), Interrupted);
      EXPECT_EQ(run_json(place)["result"]["status"], "stopped");
      run(of, place, std::nullopt, result);
      EXPECT_EQ(run_json(place)["restarts"].size(), 1u);
      for (const char* file : {"/log.jsonl", "/quarantine.jsonl"})
        EXPECT_EQ(events(place + file), events(folder.path("whole") + file)) << file << stop;
      EXPECT_EQ(bytes_of(place + "/model.keras"), bytes_of(folder.path("whole/model.keras")));
    }
  }
}

TEST(FitRecord, RecordsThatWereLeftOutAreInTheQuarantine) {
  TemporaryFolder folder;
  Result result;
  run(skipping(), folder.path("run"), std::nullopt, result);
  const std::vector<Json> bad = events(folder.path("run/quarantine.jsonl"));
  ASSERT_THAT(bad, SizeIs(3));
  EXPECT_THAT(bad[0]["detail"].get<std::string>(), HasSubstr("record is torn"));
  EXPECT_EQ(run_json(folder.path("run"))["result"]["quarantined"], 3);
}

// plimsoll serve sends none to another program.
TEST(FitRecord, SaysWhetherTheProgramTakesSignals) {
  const TemporaryFolder folder;
  for (const bool takes : {false, true}) {
    Case of = plain();
    of.options.checkpoints.takes_signals = takes;
    const std::string place = folder.path(takes ? "takes" : "does not");
    Result result;
    run(of, place, std::nullopt, result);
    EXPECT_EQ(takes_signals(run_json(place)), takes);
  }
  // A handler of the program's own gets what serve would send.
  std::signal(SIGUSR1, [](int) {});
  Case of = plain();
  of.options.checkpoints.takes_signals = true;
  Result result;
  run(of, folder.path("handled"), std::nullopt, result);
  std::signal(SIGUSR1, SIG_DFL);
  EXPECT_FALSE(takes_signals(run_json(folder.path("handled"))));
  EXPECT_TRUE(takes_signals({{"command", Json::object()}}));
  EXPECT_FALSE(takes_signals({{"program", Json::object()}, {"options", 3}}));
}

TEST(FitRecord, ARunThatIsDoneStaysAsItIs) {
  TemporaryFolder folder;
  Result result, again;
  run(plain(), folder.path("run"), std::nullopt, result);
  const std::string json = bytes_of(folder.path("run/run.json")),
                    log = bytes_of(folder.path("run/log.jsonl"));
  run(plain(), folder.path("run"), std::nullopt, again);
  expect_equal(again, result, "done already");
  EXPECT_EQ(bytes_of(folder.path("run/run.json")), json);
  EXPECT_EQ(bytes_of(folder.path("run/log.jsonl")), log);
  Case longer = plain();
  longer.options.epochs = 4;
  run(longer, folder.path("run"), std::nullopt, again);
  EXPECT_EQ(run_json(folder.path("run"))["result"]["epochs"], 4);
  EXPECT_THAT(names_of(events(folder.path("run/log.jsonl"))),
              ElementsAre("start", "plan", "epoch", "epoch", "epoch", "epoch", "end"));
}

TEST(FitRecord, TwoRunsInOneFolderAreRefused) {
  TemporaryFolder folder;
  Case of = plain();
  int64_t tries = 0;
  of.callbacks = [&] {
    return Callbacks{LambdaCallback({.on_epoch_end = [&](TrainingState&) {
      ++tries;
      Result none;
      EXPECT_THAT([&] { run(plain(), folder.path("run"), std::nullopt, none); },
                  ThrowsMessage<InvalidArgument>(HasSubstr("another run is writing it")));
    }})};
  };
  of.options.epochs = 1;
  Result result;
  run(of, folder.path("run"), std::nullopt, result);
  EXPECT_EQ(tries, 1);
  EXPECT_EQ(run_json(folder.path("run"))["result"]["status"], "done");
}

TEST(FitRecord, AFailureIsToldAndLeavesTheModelOfTheLastWholeEpoch) {
  TemporaryFolder folder;
  Case of = plain();
  of.callbacks = [] {
    return Callbacks{LambdaCallback({.on_train_batch_end = [](TrainingState& state) {
      if (state.epoch == 1 && state.batch == 1) throw std::runtime_error("out of luck");
    }})};
  };
  Result result;
  EXPECT_THROW(run(of, folder.path("run"), std::nullopt, result), std::runtime_error);
  const Json json = run_json(folder.path("run"))["result"];
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["why"], "out of luck");
  EXPECT_EQ(json["model_epoch"], 1);
}

TEST(FitRecord, AModelThatIsNoFileIsAFindingAndNoFailure) {
  TemporaryFolder folder;
  Case of = validated();
  of.options.checkpoints.save_model = [](const std::string&) { throw Error("it has no config"); };
  std::vector<std::string> said;
  const auto before =
      set_finding_handler([&](const Finding& finding) { said.push_back(to_string(finding)); });
  Result result;
  run(of, folder.path("run"), std::nullopt, result);
  set_finding_handler(before);
  EXPECT_THAT(said, ElementsAre(HasSubstr("the model cannot be saved: it has no config")));
  const Json json = run_json(folder.path("run"))["result"];
  EXPECT_EQ(json["status"], "done");
  EXPECT_TRUE(json["model"].is_null());
  EXPECT_TRUE(json["best"].is_null());
}

TEST(FitRecord, OtherFilesOfTheFolderStayAndModelsAreNotReplaced) {
  TemporaryFolder folder;
  fs::create_directories(folder.path("run/tensorboard"));
  std::ofstream(folder.path("run/notes.txt")) << "mine";
  std::ofstream(folder.path("run/tensorboard/events")) << "mine too";
  Result result;
  run(plain(), folder.path("run"), std::nullopt, result);
  EXPECT_EQ(bytes_of(folder.path("run/notes.txt")), "mine");
  EXPECT_EQ(bytes_of(folder.path("run/tensorboard/events")), "mine too");
  const std::string model = bytes_of(folder.path("run/model.keras"));
  fs::remove_all(folder.path("run/checkpoints"));
  EXPECT_THAT([&] { run(plain(), folder.path("run"), std::nullopt, result); },
              ThrowsMessage<InvalidArgument>(HasSubstr("no checkpoints to go on from")));
  EXPECT_EQ(bytes_of(folder.path("run/model.keras")), model);
}

TEST(FitRecord, ARunWhoseRecordWasRemovedGoesOnAndHasOneAgain) {
  TemporaryFolder folder;
  Case bare = plain();
  bare.options.checkpoints.keeps_record = false;
  Result whole, result;
  run(bare, folder.path("whole"), std::nullopt, whole);
  EXPECT_THROW(run(bare, folder.path("run"), 4, result), Interrupted);
  run(plain(), folder.path("run"), std::nullopt, result);
  expect_equal(result, whole, "with a record from the middle on");
  EXPECT_EQ(run_json(folder.path("run"))["result"]["epochs"], 3);
}

}  // namespace
}  // namespace plimsoll
