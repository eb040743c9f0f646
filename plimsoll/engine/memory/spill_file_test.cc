#include "plimsoll/engine/memory/spill_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

std::vector<std::byte> bytes_of(int value, size_t count) {
  return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

TEST(SpillFile, GivesBackWhatWasPutAtEachPlace) {
  SpillFile file(testing::TempDir(), 3 * 4096);
  file.prepare();
  file.store(0, bytes_of(1, 4096));
  file.store(8192, bytes_of(3, 100));
  file.store(4096, bytes_of(2, 4096));
  file.store(0, bytes_of(7, 10));
  std::vector<std::byte> found(4096);
  file.load(4096, found);
  EXPECT_EQ(found, bytes_of(2, 4096));
  found.resize(100);
  file.load(8192, found);
  EXPECT_EQ(found, bytes_of(3, 100));
  found.resize(11);
  file.load(0, found);
  EXPECT_EQ(found[9], std::byte{7});
  EXPECT_EQ(found[10], std::byte{1});
}

TEST(SpillFile, NamesAFolderThatCannotHoldIt) {
  SpillFile file("/no/such/folder", 4096);
  EXPECT_THAT([&] { file.prepare(); },
              testing::ThrowsMessage<IoError>(testing::HasSubstr("/no/such/folder")));
}

}  // namespace
}  // namespace plimsoll
