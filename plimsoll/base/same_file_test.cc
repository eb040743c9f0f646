#include "plimsoll/base/same_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

TEST(SameFile, SeesThroughLinks) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("a")) << "x";
  std::ofstream(folder.path("b")) << "x";
  fs::create_symlink("a", folder.path("soft"));
  fs::create_hard_link(folder.path("a"), folder.path("hard"));
  EXPECT_TRUE(is_same_file(folder.path("a"), folder.path("./a")));
  EXPECT_TRUE(is_same_file(folder.path("a"), folder.path("soft")));
  EXPECT_TRUE(is_same_file(folder.path("a"), folder.path("hard")));
  EXPECT_FALSE(is_same_file(folder.path("a"), folder.path("b")));
  EXPECT_FALSE(is_same_file(folder.path("a"), folder.path("none")));
}

TEST(SameFile, KnowsWhatAFolderHolds) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path("run/deep"));
  fs::create_directories(folder.path("run2"));
  std::ofstream(folder.path("run/deep/a")) << "x";
  std::ofstream(folder.path("run2/a")) << "x";
  fs::create_symlink("run/deep/a", folder.path("link"));
  fs::create_directory_symlink("run", folder.path("other"));
  EXPECT_TRUE(is_inside(folder.path("run/deep/a"), folder.path("run")));
  EXPECT_TRUE(is_inside(folder.path("run"), folder.path("run/")));
  EXPECT_TRUE(is_inside(folder.path("link"), folder.path("other")));
  EXPECT_FALSE(is_inside(folder.path("run2/a"), folder.path("run")));
  EXPECT_FALSE(is_inside(folder.path("run/none"), folder.path("run")));
}

TEST(SameFile, KnowsWhereAFolderWouldBe) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path("photos/cats"));
  std::ofstream(folder.path("table")) << "x";
  fs::create_directory_symlink("photos", folder.path("link"));
  EXPECT_TRUE(would_be_inside(folder.path("photos/run"), folder.path("photos")));
  EXPECT_TRUE(would_be_inside(folder.path("link/new/run"), folder.path("photos/")));
  EXPECT_TRUE(would_be_inside(folder.path("none/../photos/run"), folder.path("photos")));
  EXPECT_FALSE(would_be_inside(folder.path("photos2/run"), folder.path("photos")));
  EXPECT_FALSE(would_be_inside(folder.path("table/run"), folder.path("table")));
  EXPECT_FALSE(would_be_inside(folder.path("none/run"), folder.path("none")));
}

}  // namespace
}  // namespace plimsoll
