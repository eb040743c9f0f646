#include "plimsoll/record/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

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

TEST(RunFolder, OverwritesARunAsAWhole) {
  const TemporaryFolder folder;
  RunFolder(folder.path("run"), false).begin();
  write(folder.path("run/run.json"));
  write(folder.path("run/old"));
  RunFolder run(folder.path("run"), true);
  write(run.path("new"));
  EXPECT_TRUE(std::filesystem::exists(folder.path("run/old")));
  run.begin();
  EXPECT_FALSE(std::filesystem::exists(folder.path("run/old")));
  EXPECT_TRUE(std::filesystem::exists(folder.path("run/new")));
  EXPECT_EQ(folder.count(), 1u);
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
