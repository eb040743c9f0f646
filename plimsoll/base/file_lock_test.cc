#include "plimsoll/base/file_lock.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "plimsoll/base/error.h"
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

TEST(FileLock, SaysWhyItCannotBeMade) {
  const TemporaryFolder folder;
  EXPECT_THROW(FileLock::take(folder.path("none/.lock")), IoError);
}

}  // namespace
}  // namespace plimsoll
