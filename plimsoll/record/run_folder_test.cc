#include "plimsoll/record/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "plimsoll/base/error.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

void write(const std::string& path) {
  std::ofstream(path) << "{}";
}

TEST(RunFolder, TakesItsPlaceWhenTheRunBegins) {
  const TemporaryFolder folder;
  RunFolder run(folder.path("deep/er/run"), false);
  write(run.path("log.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("deep/er/run")));
  run.begin();
  EXPECT_EQ(run.path(), folder.path("deep/er/run"));
  EXPECT_TRUE(std::filesystem::exists(run.path("log.jsonl")));
}

TEST(RunFolder, LeavesNothingWhereTheRunDoesNotBegin) {
  const TemporaryFolder folder;
  {
    RunFolder run(folder.path("run/"), false);
    write(run.path("log.jsonl"));
  }
  EXPECT_EQ(folder.count(), 0u);
}

TEST(RunFolder, RefusesAPlaceThatIsTaken) {
  const TemporaryFolder folder;
  RunFolder(folder.path("run"), false).begin();
  write(folder.path("run/run.json"));
  EXPECT_EQ(message_of([&] { RunFolder(folder.path("run"), false); }),
            folder.path("run") + ": exists already; name another folder, or pass --overwrite");
}

TEST(RunFolder, DoesNotTakeOverARunThatHasBegunMeanwhile) {
  const TemporaryFolder folder;
  RunFolder late(folder.path("run"), false);
  std::filesystem::create_directory(folder.path("run"));
  write(folder.path("run/run.json"));
  EXPECT_EQ(message_of([&] { late.begin(); }),
            folder.path("run") + ": another run has begun there; name another folder");
}

// As a callback does that keeps files beside those of the run.
TEST(RunFolder, TakesItsPlaceAmongFilesThatAProgramHasWrittenMeanwhile) {
  const TemporaryFolder folder;
  RunFolder run = RunFolder::among_files(folder.path("run"));
  write(run.path("log.jsonl"));
  write(run.path("run.json"));
  std::filesystem::create_directories(folder.path("run/tensorboard"));
  write(folder.path("run/tensorboard/events"));
  run.begin();
  EXPECT_EQ(run.path(), folder.path("run"));
  for (const char* file : {"log.jsonl", "run.json", "tensorboard/events"})
    EXPECT_TRUE(std::filesystem::exists(run.path(file))) << file;
  EXPECT_EQ(folder.count(), 1u) << "the hidden folder is gone";
  EXPECT_EQ(message_of([&] { RunFolder::among_files(folder.path("run")); }),
            folder.path("run") + ": another run is writing it; name another folder");
}

// A run with a model, and a file of somebody else's.
void make_run(const std::string& path) {
  RunFolder(path, false).begin();
  for (const char* file :
       {"/run.json", "/quarantine.jsonl", "/model.keras", "/best.keras", "/classes.json", "/mine"})
    write(path + file);
}

TEST(RunFolder, ReplacesOnlyFilesOfARunAndItsModelsLast) {
  const TemporaryFolder folder;
  const auto is_there = [&](const char* file) {
    return std::filesystem::exists(folder.path(std::string("run/") + file));
  };
  make_run(folder.path("run"));
  RunFolder run(folder.path("run"), true);
  write(run.path("run.json"));
  EXPECT_TRUE(is_there("quarantine.jsonl"));
  run.begin();
  EXPECT_TRUE(run.has_earlier_model());
  EXPECT_TRUE(is_there("run.json"));
  EXPECT_FALSE(is_there("quarantine.jsonl"));
  for (const char* file : {"model.keras", "best.keras", "classes.json"})
    EXPECT_TRUE(is_there(file)) << file;
  write(run.path("model.keras"));
  run.drop_earlier_models();
  EXPECT_TRUE(is_there("model.keras"));
  EXPECT_FALSE(is_there("best.keras"));
  EXPECT_FALSE(is_there("classes.json"));
  EXPECT_TRUE(is_there("mine"));
  EXPECT_FALSE(run.has_earlier_model());
}

TEST(RunFolder, LeavesARunAsItWasIfTheNewOneDoesNotBegin) {
  const TemporaryFolder folder;
  make_run(folder.path("run"));
  {
    RunFolder run(folder.path("run"), true);
    write(run.path("log.jsonl"));
  }
  EXPECT_TRUE(std::filesystem::exists(folder.path("run/quarantine.jsonl")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("run/log.jsonl")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("run/.lock")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("run/.new")));
}

// As if it were killed in the middle.
TEST(RunFolder, IsThatOfARunAtEveryMoment) {
  const TemporaryFolder folder;
  RunFolder(folder.path("run"), false).begin();
  write(folder.path("run/run.json"));
  std::filesystem::create_directories(folder.path("run/in_the_way/full"));
  RunFolder anew(folder.path("run"), true);
  write(anew.path("in_the_way"));
  EXPECT_THROW(anew.begin(), IoError);
  EXPECT_TRUE(std::filesystem::exists(folder.path("run/run.json")));
}

TEST(RunFolder, IsWrittenByOneRunAtATime) {
  const TemporaryFolder folder;
  const auto refusal = [&](bool overwrite) {
    return message_of([&] { RunFolder(folder.path("run"), overwrite); });
  };
  std::optional<RunFolder> first(std::in_place, folder.path("run"), false);
  EXPECT_THAT(refusal(false), HasSubstr("run: another run is writing it"));
  first->begin();
  write(first->path("run.json"));
  EXPECT_THAT(refusal(false), HasSubstr("run: another run is writing it"));
  EXPECT_THAT(refusal(true), HasSubstr("run: another run is writing it"));
  first.reset();
  EXPECT_THAT(refusal(false), HasSubstr("exists already"));
  RunFolder(folder.path("run"), true).begin();
}

TEST(RunFolder, RemovesWhatAKilledRunLeft) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path(".run.new"));
  write(folder.path(".run.new/log.jsonl"));
  RunFolder run(folder.path("run"), false);
  EXPECT_FALSE(std::filesystem::exists(run.path("log.jsonl")));
  run.begin();
  EXPECT_EQ(folder.count(), 1u);
  std::filesystem::create_directories(folder.path("other/.new"));
  write(folder.path("other/.model.keras.4194305-0.tmp"));
  write(folder.path("other/.lock"));
  RunFolder other(folder.path("other"), false);
  other.begin();
  EXPECT_FALSE(std::filesystem::exists(folder.path("other/.model.keras.4194305-0.tmp")));
}

TEST(RunFolder, NeverOverwritesWhatIsNoRun) {
  const TemporaryFolder folder;
  write(folder.path("thesis.txt"));
  EXPECT_THAT(message_of([&] { RunFolder(folder.path().string(), true); }),
              HasSubstr("it has no run.json"));
  EXPECT_THAT(message_of([&] { RunFolder(folder.path("thesis.txt"), true); }),
              HasSubstr("is not the folder of a run"));
  EXPECT_TRUE(std::filesystem::exists(folder.path("thesis.txt")));
}

}  // namespace
}  // namespace plimsoll
