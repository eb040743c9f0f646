#include "plimsoll/base/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_descriptor.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

TEST(FileLock, IsHeldByOneAtATime) {
  const TemporaryFolder folder;
  const std::string path = folder.path(".lock");
  EXPECT_FALSE(FileLock::is_held(path));
  auto first = FileLock::take(path);
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(FileLock::is_held(path));
  EXPECT_EQ(FileLock::take(path), nullptr);
  first.reset();
  EXPECT_EQ(folder.count(), 0u);
  EXPECT_NE(FileLock::take(path), nullptr);
}

TEST(FileLock, FollowsItsFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("a"));
  auto lock = FileLock::take(folder.path("a/.lock"));
  std::filesystem::rename(folder.path("a"), folder.path("b"));
  lock->moved_to(folder.path("b/.lock"));
  EXPECT_TRUE(FileLock::is_held(folder.path("b/.lock")));
  lock.reset();
  EXPECT_FALSE(std::filesystem::exists(folder.path("b/.lock")));
}

TEST(FileLock, LooksAtNothingButAFile) {
  const TemporaryFolder folder;
  const auto elsewhere = FileLock::take(folder.path("elsewhere"));
  std::filesystem::create_symlink("elsewhere", folder.path("link"));
  EXPECT_FALSE(FileLock::is_held(folder.path("link")));
  EXPECT_THROW(FileLock::take(folder.path("link")), IoError);
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const FileDescriptor pipe(folder.path("pipe"), O_RDWR);
  ASSERT_EQ(flock(pipe.number(), LOCK_EX), 0);
  EXPECT_FALSE(FileLock::is_held(folder.path("pipe")));
}

TEST(FileLock, IsNotHeldByWhoOnlyLooks) {
  const TemporaryFolder folder;
  const std::string path = folder.path(".lock");
  const FileDescriptor looking(path, O_RDWR | O_CREAT);
  ASSERT_EQ(flock(looking.number(), LOCK_SH), 0);
  EXPECT_FALSE(FileLock::is_held(path));
  // The look ends while somebody wants the lock.
  std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    flock(looking.number(), LOCK_UN);
  });
  EXPECT_NE(FileLock::take(path), nullptr);
}

TEST(FileLock, SaysWhyItCannotBeMade) {
  const TemporaryFolder folder;
  EXPECT_THROW(FileLock::take(folder.path("none/.lock")), IoError);
}

}  // namespace
}  // namespace plimsoll
