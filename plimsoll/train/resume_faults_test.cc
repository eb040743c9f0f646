// What may be wrong when a run of fit goes on: it changed, its checkpoints are damaged, or new ones
// cannot be written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "plimsoll/data/stages/stages.h"
#include "plimsoll/plimsoll.h"
#include "plimsoll/record/run_observer.h"
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
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(ResumeFaults, ChangedOptionsDataAndModelsAreNamed) {
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
  other.options.reading.bad = {.then = OnBadRecord::skip, .most = 0.5};
  refused(other, "max_bad was not given and is 0.5, on_bad_record was not given and is skip");
  other = plain();
  other.options.reading.allow_not_finite = true;
  refused(other, "allow_nan was not given and is true");
  other = plain();
  other.options.batch_size = 4;
  other.options.checkpoints.allow_changed = true;
  EXPECT_NO_THROW(run(other, folder.path("run"), std::nullopt, result));
}

TEST(ResumeFaults, TheNewestWholeCheckpointIsUsedAndTheOthersAreNamed) {
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

TEST(ResumeFaults, AFileIsNotTheFolderOfARun) {
  TemporaryFolder folder;
  std::ofstream(folder.path("file")) << "not a folder";
  Result result;
  EXPECT_THROW(run(plain(), folder.path("file"), std::nullopt, result), IoError);
}

// In the way of the file that is written first.
std::string blocked_folder(const TemporaryFolder& folder, const std::string& run) {
  const std::string place = folder.path(run + "/checkpoints/unfinished.tmp");
  std::filesystem::create_directories(place + "/full");
  return place;
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ResumeFaults, CheckpointsThatCannotBeWrittenDoNotEndTheRunAndAreToldOnce) {
  TemporaryFolder folder;
  blocked_folder(folder, "file");
  Result whole, result;
  run(plain(), folder.path("whole"), std::nullopt, whole);
  Case often = plain();
  often.options.checkpoints.every_steps = 1;
  ::testing::internal::CaptureStderr();
  run(often, folder.path("file"), std::nullopt, result);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(count_of(said, "checkpoints cannot be written, the earlier ones are kept"), 1u) << said;
  EXPECT_EQ(count_of(said, "can be written again"), 0u) << said;
  expect_equal(result, whole, "without checkpoints");
}

TEST(ResumeFaults, ThatCheckpointsCanBeWrittenAgainIsToldOnceToo) {
  TemporaryFolder folder;
  const std::string blocked = blocked_folder(folder, "file");
  Case often = plain();
  often.options.checkpoints.every_steps = 1;
  often.callbacks = [&] {
    return Callbacks{LambdaCallback({.on_train_batch_end = [&](TrainingState& state) {
      if (state.epoch == 1) std::filesystem::remove_all(blocked);
    }})};
  };
  Result result;
  ::testing::internal::CaptureStderr();
  run(often, folder.path("file"), std::nullopt, result);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(count_of(said, "checkpoints cannot be written"), 1u) << said;
  EXPECT_EQ(count_of(said, "checkpoints can be written again"), 1u) << said;
}

// Has more to keep than any disk has room for.
class KeepsTooMuch final : public Callback {
 public:
  void save_state(StateWriter& to) const override {
    to.bytes("all", {DType::uint8, {int64_t{1} << 47}}, [](int64_t, std::span<std::byte>) {
      throw InvalidArgument("it is read, so it was thought to fit");
    });
  }
};

// The room is looked for before anything is written, and for all that a checkpoint has.
TEST(ResumeFaults, WhatCallbacksKeepCountsForTheRoomOnTheDisk) {
  TemporaryFolder folder;
  Result whole, result;
  run(plain(), folder.path("whole"), std::nullopt, whole);
  Case large = plain();
  large.callbacks = [] { return Callbacks{std::make_shared<KeepsTooMuch>()}; };
  ::testing::internal::CaptureStderr();
  run(large, folder.path("run"), std::nullopt, result);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("writing it takes 128.0 TiB of disk, but only"));
  EXPECT_EQ(count_of(said, "it is read"), 0u) << said;
  EXPECT_FALSE(std::filesystem::exists(folder.path("run/checkpoints/unfinished.tmp")));
  expect_equal(result, whole, "without checkpoints");
}

// One record in the middle, which no sample of some records would see.
TEST(ResumeFaults, OneOtherRecordOfManyIsFound) {
  constexpr int64_t kMany = 3000;
  const auto data = [](int64_t changed) {
    std::vector<float> x(kMany * 4, 0.5f), y(kMany, 1.0f);
    if (changed >= 0) x[static_cast<size_t>(changed) * 4 + 1] = 0.25f;
    return Dataset{constant(x, {kMany, 4}), constant(y, {kMany, 1})};
  };
  TemporaryFolder folder;
  Case many = plain();
  many.data = [&] { return data(-1); };
  Result result;
  EXPECT_THROW(run(many, folder.path("run"), 3, result), Interrupted);
  for (const int64_t changed : {int64_t{0}, int64_t{1717}, kMany - 1}) {
    Case other = many;
    other.data = [&] { return data(changed); };
    EXPECT_THAT([&] { run(other, folder.path("run"), std::nullopt, result); },
                ThrowsMessage<InvalidArgument>(HasSubstr("the data: contents of ")));
  }
  EXPECT_NO_THROW(run(many, folder.path("run"), std::nullopt, result));
}

// A progress line may come or go.
TEST(ResumeFaults, WhatOnlyWatchesMayChange) {
  TemporaryFolder folder;
  Result whole, result;
  run(plain(), folder.path("whole"), std::nullopt, whole);
  EXPECT_THROW(run(plain(), folder.path("run"), 4, result), Interrupted);
  Case watched = plain();
  watched.callbacks = [] {
    class Watcher final : public RunObserver {};
    return Callbacks{std::make_shared<Watcher>()};
  };
  run(watched, folder.path("run"), std::nullopt, result);
  expect_equal(result, whole, "watched");
}

// A callback that draws, as one that shows what a model makes of noise.
TEST(ResumeFaults, RandomNumbersOfCallbacksGoOn) {
  std::vector<float> drawn;
  Case drawing = plain();
  drawing.callbacks = [&] {
    return Callbacks{LambdaCallback({.on_train_batch_end = [&](TrainingState&) {
      drawn.push_back(random_uniform({1}, 0, 1, training_clock().draw()).to_vector()[0]);
    }})};
  };
  TemporaryFolder folder;
  Result result;
  run(drawing, folder.path("whole"), std::nullopt, result);
  const std::vector<float> whole = std::exchange(drawn, {});
  EXPECT_THROW(run(drawing, folder.path("run"), 4, result), Interrupted);
  run(drawing, folder.path("run"), std::nullopt, result);
  EXPECT_EQ(drawn, whole);
}

}  // namespace
}  // namespace plimsoll
