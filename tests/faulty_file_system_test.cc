// The disk that fails does fail: otherwise the tests that use it would show nothing.
#include "tests/support/faulty_file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "tests/support/damage.h"

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::ThrowsMessage;
using Fault = FaultyFileSystem::Fault;
using Survivors = std::vector<FaultyFileSystem::Survivor>;

TEST(AFaultyFileSystem, ForgetsWhatIsNotSynced) {
  FaultyFileSystem disk;
  const auto file = disk.create("f/a");
  file->write(to_bytes("synced"));
  file->sync();
  disk.sync_folder("f");
  file->write(to_bytes(" 123"));
  file->write(to_bytes(" end"));
  EXPECT_EQ(disk.unsynced(), 2u);
  EXPECT_EQ(disk.bytes_of("f/a"), to_bytes("synced 123 end"));
  EXPECT_EQ(disk.after_cut({}).bytes_of("f/a"), to_bytes("synced"));
  EXPECT_EQ(disk.after_cut(Survivors{{0}}).bytes_of("f/a"), to_bytes("synced 123"));
  EXPECT_EQ(disk.after_cut(Survivors{{0, true}}).bytes_of("f/a"), to_bytes("synced 1"));
  EXPECT_EQ(disk.after_cut(Survivors{{1}}, std::byte{'?'}).bytes_of("f/a"),
            to_bytes("synced???? end"));
}

TEST(AFaultyFileSystem, ForgetsNamesOfFoldersThatAreNotSynced) {
  FaultyFileSystem disk;
  disk.create("f/a")->sync();
  EXPECT_THAT(disk.after_cut({}).list("f"), IsEmpty());
  disk.sync_folder("g");
  EXPECT_THAT(disk.after_cut({}).list("f"), IsEmpty());
  disk.sync_folder("f");
  disk.create("f/b");
  disk.rename("f/b", "f/a");
  EXPECT_THAT(disk.list("f"), ElementsAre("a"));
  EXPECT_THAT(disk.after_cut({}).list("f"), ElementsAre("a"));
  EXPECT_THAT(disk.after_cut(Survivors{{0}}).list("f"), ElementsAre("a", "b"));
  EXPECT_THAT(disk.after_cut(Survivors{{0}, {1}}).list("f"), ElementsAre("a"));
  EXPECT_THAT(disk.after_cut(Survivors{{1}, {0}}).list("f"), ElementsAre("a", "b"));
  disk.sync_folder("f");
  disk.remove("f/a");
  EXPECT_THAT(disk.after_cut({}).list("f"), ElementsAre("a"));
  EXPECT_THAT(disk.after_cut(Survivors{{0}}).list("f"), IsEmpty());
}

// What is synced is not the name: a new file may be gone although its bytes are on the disk.
TEST(AFaultyFileSystem, KeepsTheOldFileWhereARenameIsForgotten) {
  FaultyFileSystem disk;
  disk.put("f/a", to_bytes("old"));
  const auto file = disk.create("f/b");
  file->write(to_bytes("new"));
  file->sync();
  disk.rename("f/b", "f/a");
  EXPECT_EQ(disk.bytes_of("f/a"), to_bytes("new"));
  EXPECT_EQ(disk.after_cut({}).bytes_of("f/a"), to_bytes("old"));
  EXPECT_EQ(disk.after_cut(Survivors{{1}}).bytes_of("f/a"), to_bytes("new"));
}

// A folder that is made and not synced is lost with everything in it, synced or not.
TEST(AFaultyFileSystem, ForgetsFoldersWhoseNameIsNotSynced) {
  FaultyFileSystem disk;
  disk.make_folder("f");
  EXPECT_EQ(disk.unsynced(), 0u) << "make_folder syncs the name";
  FaultyFileSystem cut;
  cut.cut_power_after(4);  // where f will be is synced, f is made and synced, f/g only made
  EXPECT_THROW(cut.make_folder("f/g"), PowerCut);
  EXPECT_EQ(cut.unsynced(), 1u);
  cut.put("f/g/a", to_bytes("a"));
  cut.put("f/b", to_bytes("b"));
  EXPECT_THAT(cut.after_cut({}).list("f/g"), IsEmpty());
  EXPECT_THAT(cut.after_cut({}).list("f"), ElementsAre("b"));
  EXPECT_THAT(cut.after_cut(Survivors{{0}}).list("f/g"), ElementsAre("a"));
}

TEST(AFaultyFileSystem, DoesNothingAfterTheCut) {
  FaultyFileSystem disk;
  disk.cut_power_after(2);
  const auto file = disk.create("f/a");
  file->write(to_bytes("x"));
  EXPECT_THROW(file->write(to_bytes("y")), PowerCut);
  EXPECT_THROW(file->sync(), PowerCut);
  EXPECT_THROW(disk.remove("f/a"), PowerCut);
  EXPECT_THROW(disk.list("f"), PowerCut);
  EXPECT_EQ(disk.bytes_of("f/a"), to_bytes("x"));
}

TEST(AFaultyFileSystem, FailsAsItIsAskedTo) {
  FaultyFileSystem disk;
  const auto file = disk.create("f/a");
  disk.fail(2, 2, Fault::disk_full);
  EXPECT_THAT([&] { file->write(to_bytes("four")); },
              ThrowsMessage<IoError>("f/a: cannot be written: No space left on device"));
  EXPECT_EQ(disk.bytes_of("f/a"), to_bytes("fo"));
  disk.fail(3, 4, Fault::refused);
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT([&] { disk.remove("f/a"); },
                ThrowsMessage<IoError>("f/a: cannot be removed: Input/output error"));
  disk.fail(5, 5, Fault::done);
  EXPECT_THROW(disk.rename("f/a", "f/b"), IoError);
  EXPECT_THAT(disk.list("f"), ElementsAre("b"));
  disk.fail(7, 7, Fault::garbled);
  file->write(to_bytes("x"));
  EXPECT_EQ(disk.bytes_of("f/b"), to_bytes("fo|"));
}

TEST(AFaultyFileSystem, SyncsNothingMoreAfterASyncFailed) {
  FaultyFileSystem disk;
  const auto file = disk.create("f/a");
  disk.sync_folder("f");
  file->write(to_bytes("lost"));
  disk.fail(4, 4, Fault::refused);
  EXPECT_THROW(file->sync(), IoError);
  file->sync();
  EXPECT_EQ(disk.after_cut({}).bytes_of("f/a"), to_bytes(""));
}

}  // namespace
}  // namespace plimsoll
