#include "plimsoll/base/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/damage.h"
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

class RealFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  void leave(const std::string& name) const { std::ofstream(path(name)) << name; }

  const TemporaryFolder folder_;
  FileSystem& files_ = real_file_system();
};

TEST_F(RealFiles, AreWrittenFromTheBeginningAndReadAnywhere) {
  std::ofstream(path("a")) << "a longer text that was there before";
  const auto file = files_.create(path("a"));
  file->write(to_bytes("written "));
  file->write({});
  file->write(to_bytes("in pieces"));
  file->sync();
  EXPECT_EQ(bytes_of(path("a")), "written in pieces");
  const auto read = files_.open(path("a"));
  std::vector<std::byte> piece(6);
  read->read_at(11, piece);
  EXPECT_EQ(read->size(), 17);
  EXPECT_EQ(piece, to_bytes("pieces"));
}

TEST_F(RealFiles, SayWhereAFileEnds) {
  leave("four");
  const auto file = files_.open(path("four"));
  std::vector<std::byte> piece(3);
  EXPECT_THAT([&] { file->read_at(2, piece); },
              ThrowsMessage<CorruptFile>(path("four") +
                                         ": ends at byte 4, expected 3 bytes from byte 2 on"));
  EXPECT_THROW(file->read_at(int64_t{1} << 62, piece), CorruptFile);
  EXPECT_THROW(file->read_at(-1, piece), CorruptFile);
}

TEST_F(RealFiles, AreRenamedOverOthersListedAndRemoved) {
  EXPECT_THAT(files_.list(path("none")), IsEmpty());
  for (const char* name : {"c", "a", "b"}) leave(name);
  files_.rename(path("a"), path("c"));
  files_.remove(path("b"));
  files_.sync_folder(path(""));
  EXPECT_THAT(files_.list(path("")), ElementsAre("c"));
  EXPECT_EQ(bytes_of(path("c")), "a");
}

TEST_F(RealFiles, HaveFoldersThatAreMadeOnce) {
  files_.make_folder(path("run/deep/checkpoints"));
  leave("run/deep/checkpoints/kept");
  files_.make_folder(path("run/deep/checkpoints"));
  files_.make_folder(path("run/deep/checkpoints/"));
  EXPECT_THAT(files_.list(path("run/deep/checkpoints")), ElementsAre("kept"));
}

TEST_F(RealFiles, MayBeInTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  files_.make_folder("here");
  fs::current_path(before);
  EXPECT_TRUE(fs::is_directory(path("here")));
}

TEST_F(RealFiles, SayWhatCannotBeDoneAndWhy) {
  leave("file");
  const auto says = [](const std::string& where, const char* what) {
    return ThrowsMessage<IoError>(AllOf(StartsWith(where + ": cannot be "), HasSubstr(what)));
  };
  EXPECT_THAT([&] { files_.create(path("none/a")); },
              says(path("none/a"), "opened: No such file or directory"));
  EXPECT_THAT([&] { files_.open(path("a")); }, says(path("a"), "opened: No such file"));
  EXPECT_THAT([&] { files_.rename(path("a"), path("b")); }, says(path("b"), "replaced: No such"));
  EXPECT_THAT([&] { files_.remove(path("a")); }, says(path("a"), "removed: No such file"));
  EXPECT_THAT([&] { files_.list(path("file")); }, says(path("file"), "listed: Not a directory"));
  EXPECT_THAT([&] { files_.make_folder(path("file")); }, says(path("file"), "made: File exists"));
  EXPECT_THAT([&] { files_.sync_folder(path("file")); },
              says(path("file"), "opened: Not a directory"));
}

TEST_F(RealFiles, AreOnlyRegularOnes) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0666), 0);
  for (const std::string& name : {path("pipe"), path("")})
    EXPECT_THAT([&] { files_.open(name); },
                ThrowsMessage<IoError>(name + ": cannot be read: it is not a regular file"));
}

// A limit on the size of files does what a full disk does: the first part of the write succeeds.
TEST_F(RealFiles, SayWhenTheDiskTakesNoMore) {
  const auto file = files_.create(path("large"));
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {.rlim_cur = 10, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THAT([&] { file->write(to_bytes("more than ten bytes")); },
              ThrowsMessage<IoError>(path("large") + ": cannot be written: File too large"));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
}

TEST_F(RealFiles, ReplaceALinkAndNotWhatItLeadsTo) {
  leave("kept");
  fs::create_symlink("kept", path("symbolic"));
  fs::create_hard_link(path("kept"), path("hard"));
  for (const char* name : {"symbolic", "hard"}) files_.create(path(name))->write(to_bytes("new"));
  EXPECT_EQ(bytes_of(path("kept")), "kept");
  EXPECT_EQ(bytes_of(path("symbolic")), "new");
}

}  // namespace
}  // namespace plimsoll
