#include "plimsoll/base/atomic_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(AtomicFile, ReplacesTheOldFileOnlyWhenItIsCommitted) {
  const TemporaryFolder folder;
  write_file(folder.path("a"), "old");
  AtomicFile file(folder.path("a"));
  std::ofstream(file.temporary_path()) << "new";
  EXPECT_EQ(bytes_of(folder.path("a")), "old");
  file.commit();
  EXPECT_EQ(bytes_of(folder.path("a")), "new");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, LeavesNothingBehindWhereItIsNotCommitted) {
  const TemporaryFolder folder;
  write_file(folder.path("a"), "old");
  { AtomicFile file(folder.path("a")); }
  { AtomicFile file(folder.path("b")); }
  EXPECT_EQ(bytes_of(folder.path("a")), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, LetsTwoWritersOfOneNameAlone) {
  const TemporaryFolder folder;
  AtomicFile first(folder.path("a")), second(folder.path("a"));
  ASSERT_NE(first.temporary_path(), second.temporary_path());
  std::ofstream(first.temporary_path()) << "first";
  std::ofstream(second.temporary_path()) << "second";
  first.commit();
  second.commit();
  EXPECT_EQ(bytes_of(folder.path("a")), "second");
}

TEST(AtomicFile, KeepsLinksAndPermissions) {
  const TemporaryFolder folder;
  write_file(folder.path("target"), "old");
  chmod(folder.path("target").c_str(), 0640);
  fs::create_symlink("target", folder.path("link"));
  write_file(folder.path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(bytes_of(folder.path("target")), "new");
  EXPECT_EQ(static_cast<int>(fs::status(folder.path("target")).permissions()), 0640);
}

TEST(AtomicFile, WritesNamesOfTheCurrentFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  write_file("plain", "x");
  fs::current_path(before);
  EXPECT_EQ(bytes_of(folder.path("plain")), "x");
}

// Process 4194305 cannot be: numbers end at 4194304.
TEST(AtomicFile, RemovesWhatKilledProcessesLeft) {
  const TemporaryFolder folder;
  const auto leave = [&](const std::string& name) { std::ofstream(folder.path(name)) << "x"; };
  leave(".a.4194305-0.tmp");
  leave(".a.4194305-12.tmp");
  leave(".ab.4194305-0.tmp");
  leave(".a.4194305.tmp");
  leave(fmt::format(".a.{}-7.tmp", getpid()));
  write_file(folder.path("a"), "x");
  EXPECT_FALSE(fs::exists(folder.path(".a.4194305-0.tmp")));
  EXPECT_FALSE(fs::exists(folder.path(".a.4194305-12.tmp")));
  EXPECT_TRUE(fs::exists(folder.path(".ab.4194305-0.tmp")));
  EXPECT_EQ(folder.count(), 4u);
}

TEST(AtomicFile, KnowsTheNamesOfItsTemporaryFiles) {
  for (const char* name : {".a.1-0.tmp", ".model.keras.4711-0.tmp"})
    EXPECT_TRUE(is_temporary_name(name)) << name;
  for (const char* name : {"a.1-0.tmp", ".a.tmp", ".a.1.tmp", ".a.x-0.tmp", ".a.1-x.tmp",
                           ".1-0.tmp", ".a.1-.tmp", ".a.-1.tmp", ".tmp", ""})
    EXPECT_FALSE(is_temporary_name(name)) << name;
}

TEST(AtomicFile, WritesNamesAsLongAsTheSystemAllows) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  write_file(folder.path(name), "x");
  EXPECT_EQ(bytes_of(folder.path(name)), "x");
  EXPECT_THAT([&] { write_file(folder.path(name + "n"), "x"); },
              ThrowsMessage<IoError>(HasSubstr("File name too long")));
}

TEST(AtomicFile, SaysWhyItCannotWrite) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { AtomicFile file(folder.path("none/a")); },
              ThrowsMessage<IoError>(HasSubstr("No such file or directory")));
  EXPECT_THAT([&] { AtomicFile file(folder.path().string()); },
              ThrowsMessage<IoError>(HasSubstr("not a regular file")));
}

}  // namespace
}  // namespace plimsoll
