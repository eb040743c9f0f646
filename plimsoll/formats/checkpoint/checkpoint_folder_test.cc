#include "plimsoll/formats/checkpoint/checkpoint_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::ThrowsMessage;

const Spec kNumber{.dtype = DType::int64, .shape = {}};

class Checkpoints : public testing::Test {
 protected:
  void write(int64_t number, int keep, const std::vector<int64_t>& kept = {}) {
    const auto fill = [&](CheckpointWriter& writer) {
      writer.add("step", kNumber, std::as_bytes(std::span(&number, 1)));
    };
    folder_.write(number, keep, fill, kept);
  }

  // Of the newest; -1 where there is none.
  int64_t newest() {
    findings_.clear();
    const auto file = folder_.newest(findings_);
    int64_t step = -1;
    if (file) file->read("step", std::as_writable_bytes(std::span(&step, 1)));
    return step;
  }

  void damage(int64_t number) { std::ofstream(folder_.path_of(number), std::ios::app) << "x"; }

  const TemporaryFolder root_;
  CheckpointFolder folder_{root_.path("run/checkpoints")};
  std::vector<Finding> findings_;
};

TEST_F(Checkpoints, ThatAreNamedStayBesideTheLast) {
  for (const int64_t number : {1, 2, 3, 4, 5}) write(number, 2, {2, 9});
  EXPECT_THAT(folder_.numbers(), ElementsAre(2, 4, 5));
  write(6, 1, {5});
  EXPECT_THAT(folder_.numbers(), ElementsAre(5, 6));
}

TEST_F(Checkpoints, OfLargerOrSmallerNumbersAreRemoved) {
  for (const int64_t number : {1, 2, 3, 4, 5}) write(number, 9);
  folder_.remove_newer(3);
  EXPECT_THAT(folder_.numbers(), ElementsAre(1, 2, 3));
  folder_.remove_older(3);
  EXPECT_THAT(folder_.numbers(), ElementsAre(3));
  EXPECT_EQ(newest(), 3);
}

TEST_F(Checkpoints, AreNumberedFilesOfWhichTheLastAreKept) {
  EXPECT_EQ(newest(), -1);
  EXPECT_THAT(folder_.numbers(), IsEmpty());
  for (const int64_t number : {0, 7, 123, 124}) write(number, 2);
  EXPECT_THAT(folder_.numbers(), ElementsAre(123, 124));
  EXPECT_EQ(folder_.path_of(123), root_.path("run/checkpoints/000000000123.checkpoint"));
  EXPECT_THAT(real_file_system().list(folder_.path()),
              ElementsAre("000000000123.checkpoint", "000000000124.checkpoint"));
  EXPECT_EQ(newest(), 124);
  EXPECT_THAT(findings_, IsEmpty());
}

TEST_F(Checkpoints, AreReplacedByThoseOfTheSameNumber) {
  write(5, 3);
  damage(5);
  write(5, 3);
  EXPECT_EQ(newest(), 5);
  EXPECT_THAT(folder_.numbers(), ElementsAre(5));
}

TEST_F(Checkpoints, AreFoundBeforeNewerOnesThatAreNotWhole) {
  for (const int64_t number : {1, 2, 3}) write(number, 3);
  damage(3);
  fs::remove(folder_.path_of(2));
  fs::create_directory(folder_.path_of(2));
  EXPECT_EQ(newest(), 1);
  ASSERT_EQ(findings_.size(), 2u);
  EXPECT_EQ(findings_[0].where, folder_.path_of(3));
  EXPECT_EQ(findings_[0].severity, Finding::Severity::warning);
  EXPECT_EQ(findings_[0].what,
            "does not end as a checkpoint does: it was cut off, or bytes were added to it");
  EXPECT_EQ(findings_[1].where, folder_.path_of(2));
  EXPECT_EQ(findings_[1].what, "cannot be read: it is not a regular file");
}

TEST_F(Checkpoints, AreAllNamedWhereNoneIsWhole) {
  for (const int64_t number : {1, 2}) write(number, 2);
  for (const int64_t number : {1, 2}) damage(number);
  EXPECT_EQ(newest(), -1);
  ASSERT_EQ(findings_.size(), 3u);
  EXPECT_EQ(findings_[2].where, folder_.path());
  EXPECT_EQ(findings_[2].severity, Finding::Severity::error);
  EXPECT_EQ(findings_[2].what, "none of its 2 checkpoints is whole");
}

// The run goes on from 1 because 9 is damaged. What it writes must not go because 9 is newer.
TEST_F(Checkpoints, AreKeptBesideADamagedOneOfALargerNumber) {
  write(1, 2);
  write(9, 2);
  damage(9);
  for (const int64_t number : {3, 5}) {
    write(number, 1);
    EXPECT_EQ(newest(), number);
    EXPECT_EQ(findings_.size(), 1u);
    EXPECT_THAT(folder_.numbers(), ElementsAre(number, 9));
  }
  write(10, 1);
  EXPECT_EQ(newest(), 10);
  EXPECT_THAT(folder_.numbers(), ElementsAre(10));
}

TEST_F(Checkpoints, LeaveFilesOfOthersAlone) {
  write(1, 1);
  const std::vector<std::string> foreign = {"000000000000.checkpoint.old", "1.checkpoint",
                                            "-00000000001.checkpoint", "notes.txt",
                                            "0000000000001.checkpoint"};
  for (const std::string& name : foreign)
    std::ofstream(fs::path(folder_.path()) / name) << "foreign";
  write(2, 1);
  EXPECT_THAT(folder_.numbers(), ElementsAre(2));
  for (const std::string& name : foreign)
    EXPECT_TRUE(fs::exists(fs::path(folder_.path()) / name)) << name;
}

TEST_F(Checkpoints, ReplaceWhatAKilledProcessLeft) {
  fs::create_directories(folder_.path());
  std::ofstream(fs::path(folder_.path()) / "unfinished.tmp") << "half a checkpoint";
  EXPECT_EQ(newest(), -1);
  EXPECT_THAT(findings_, IsEmpty());
  write(1, 1);
  EXPECT_THAT(real_file_system().list(folder_.path()), ElementsAre("000000000001.checkpoint"));
}

TEST_F(Checkpoints, AreAsTheyWereWhereFillingFails) {
  write(1, 1);
  EXPECT_THROW(folder_.write(2, 1,
                             [](CheckpointWriter& writer) {
                               writer.add("a", kNumber, [](int64_t, std::span<std::byte>) {
                                 throw InvalidArgument("a: cannot be read");
                               });
                             }),
               InvalidArgument);
  EXPECT_EQ(newest(), 1);
  EXPECT_THAT(real_file_system().list(folder_.path()), ElementsAre("000000000001.checkpoint"));
}

TEST_F(Checkpoints, SayWhatCannotBeWritten) {
  EXPECT_THAT([&] { write(1, 0); }, ThrowsMessage<InvalidArgument>(HasSubstr("keep at least 1")));
  EXPECT_THAT([&] { write(-1, 1); }, ThrowsMessage<InvalidArgument>(StartsWith(folder_.path())));
  std::ofstream(root_.path("run")) << "a file";
  EXPECT_THAT([&] { write(1, 1); },
              ThrowsMessage<IoError>(AllOf(StartsWith(root_.path("run")), HasSubstr("irectory"))));
}

}  // namespace
}  // namespace plimsoll
