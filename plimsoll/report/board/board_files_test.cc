#include "plimsoll/report/board/board_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tensorflow/summary_value.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

void add(BoardFiles& files, int64_t step) {
  const std::string value = scalar_summary("loss", static_cast<double>(step));
  files.add("train", std::span(&value, 1), step);
}

// The bytes of all files in the folder.
int64_t bytes_in(const std::string& folder, int64_t& files) {
  int64_t bytes = files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    bytes += static_cast<int64_t>(entry.file_size());
    ++files;
  }
  return bytes;
}

TEST(BoardFiles, DropWhatComesAfterACheckpoint) {
  const TemporaryFolder folder;
  const std::string train = folder.path("train");
  BoardFiles first(folder.path().string());
  add(first, 0);
  const std::string state = first.state();
  int64_t files = 0;
  const int64_t bytes = bytes_in(train, files);
  add(first, 1);
  EXPECT_GT(bytes_in(train, files), bytes);
  // Killed, and killed again before a checkpoint; another program's file is left alone.
  std::ofstream(train + "/events.out.tfevents.1.other") << "theirs";
  for (int i = 0; i < 2; ++i) {
    BoardFiles again(folder.path().string());
    again.go_on(state, "checkpoint");
    EXPECT_EQ(bytes_in(train, files), bytes + 6);
    add(again, 1);
    bytes_in(train, files);
    EXPECT_EQ(files, 3);
  }
}

constexpr const char* kEvents = "events.out.tfevents.1.host.plimsoll-0123abcd.0";

TEST(BoardFiles, RefuseAStateThatLeadsElsewhere) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path("x"));
  fs::create_directories(folder.path("board"));
  for (const std::string& kept : {std::string("kept"), std::string("x/") + kEvents})
    std::ofstream(folder.path(kept)) << "kept";
  BoardFiles files(folder.path("board"));
  const std::string owner = R"({"owner": "plimsoll-0123abcd", "files": )";
  const std::string states[] = {
      "{}",
      owner + R"({"": [["../kept", 0]]}})",
      owner + R"({"../x": [[")" + kEvents + R"(", 0]]}})",
      owner + R"({"..": [["kept", 0]]}})",
      owner + R"({"train": [["kept", 0]]}})",
      R"({"owner": "0", "files": {"": []}})",
      R"({"owner": "plimsoll-", "files": {"": []}})",
  };
  for (const std::string& state : states)
    EXPECT_THROW(files.go_on(state, "checkpoint"), CorruptFile) << state;
  EXPECT_EQ(fs::file_size(folder.path("kept")), 4u);
  EXPECT_EQ(fs::file_size(folder.path("x/") + kEvents), 4u);
}

TEST(BoardFiles, FollowNoLink) {
  const TemporaryFolder folder;
  for (const char* made : {"x", "board/train"}) fs::create_directories(folder.path(made));
  const std::string kept = folder.path("x/") + kEvents;
  std::ofstream(kept) << "kept";
  fs::create_directory_symlink("../x", folder.path("board/linked"));
  fs::create_symlink(kept, folder.path("board/train/") + kEvents);
  const std::string state = fmt::format(
      R"({{"owner": "plimsoll-0123abcd", "files": {{"linked": [["{0}", 0]], "train": [["{0}", 1]]}}}})",
      kEvents);
  BoardFiles(folder.path("board")).go_on(state, "checkpoint");
  EXPECT_EQ(fs::file_size(kept), 4u);
  BoardFiles(folder.path("board"))
      .go_on(R"({"owner": "plimsoll-0123abcd", "files": {}})", "checkpoint");
  EXPECT_EQ(fs::file_size(kept), 4u);
  EXPECT_TRUE(fs::is_symlink(folder.path("board/train/") + kEvents));
}

}  // namespace
}  // namespace plimsoll
