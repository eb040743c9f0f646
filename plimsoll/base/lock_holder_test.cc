#include "plimsoll/base/lock_holder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "plimsoll/base/file_lock.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

TEST(LockHolder, IsTheProcessThatHasTheLock) {
  const TemporaryFolder folder;
  const std::string path = folder.path(".lock"), link = folder.path("link");
  EXPECT_EQ(lock_holder(path), std::nullopt);
  {
    const auto lock = FileLock::take(path);
    EXPECT_EQ(lock_holder(path), getpid());
    std::filesystem::create_symlink(path, link);
    EXPECT_EQ(lock_holder(link), std::nullopt);
  }
  EXPECT_EQ(lock_holder(path), std::nullopt);
}

}  // namespace
}  // namespace plimsoll
