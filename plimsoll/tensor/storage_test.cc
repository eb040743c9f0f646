#include "plimsoll/tensor/storage.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"

namespace plimsoll {
namespace {

TEST(Storage, IsAlignedAndZeroWhateverItsSize) {
  for (int64_t bytes : {0, 1, 63, 64, 1000, 1 << 20, (2 << 20) - 1, 2 << 20, 5 << 20}) {
    Storage storage(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(storage.data()) % Storage::kAlignment, 0u);
    EXPECT_EQ(storage.bytes(), bytes);
    storage.touch();
    for (int64_t i = 0; i < bytes; ++i) ASSERT_EQ(storage.data()[i], std::byte{0}) << bytes;
    if (bytes > 0) std::memset(storage.data(), 1, static_cast<size_t>(bytes));
  }
}

TEST(Storage, LargeBlocksAreResidentOnceTouchedAndGoneOnceFreed) {
  constexpr int64_t kBytes = 64 << 20, kSlack = 8 << 20;
  const int64_t before = process_memory().resident_bytes;
  {
    Storage storage(kBytes);
    EXPECT_LT(process_memory().resident_bytes, before + kSlack);
    storage.touch();
    EXPECT_GT(process_memory().resident_bytes, before + kBytes - kSlack);
  }
  EXPECT_LT(process_memory().resident_bytes, before + kSlack);
}

TEST(Storage, OfItsOwnPagesIsAlignedAndGoneOnceFreed) {
  constexpr int64_t kBytes = 1 << 20;
  const int64_t before = process_memory().resident_bytes;
  for (int i = 0; i < 64; ++i) {
    Storage storage(kBytes, Storage::Pages::own);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(storage.data()) % Storage::kAlignment, 0u);
    std::memset(storage.data(), 1, static_cast<size_t>(kBytes));
  }
  EXPECT_LT(process_memory().resident_bytes, before + kBytes);
}

TEST(Storage, CountsWhatTheSystemHasStillToFind) {
  for (const int64_t bytes : {int64_t{1} << 20, int64_t{6} << 20}) {
    Storage storage(bytes, Storage::Pages::own);
    EXPECT_GE(storage.untouched_bytes(), bytes - 8192);
    std::memset(storage.data(), 1, static_cast<size_t>(bytes / 2));
    EXPECT_LE(storage.untouched_bytes(), bytes / 2 + 8192);
    storage.touch();
    EXPECT_EQ(storage.untouched_bytes(), 0);
  }
}

TEST(Storage, OfForeignBytesSharesThemAndLetsTheOwnerGoOnAnyThread) {
  auto owner = std::make_shared<std::vector<std::byte>>(100, std::byte{7});
  const std::weak_ptr<std::vector<std::byte>> watched = owner;
  auto storage = std::make_shared<Storage>(owner->data() + 3, 40, owner);
  EXPECT_EQ(storage->data(), owner->data() + 3);
  EXPECT_EQ(storage->bytes(), 40);
  EXPECT_EQ(storage->untouched_bytes(), 0);
  owner.reset();
  storage->touch();
  EXPECT_EQ(storage->data()[39], std::byte{7});
  std::jthread([last = std::move(storage)]() mutable { last.reset(); }).join();
  EXPECT_TRUE(watched.expired());
}

TEST(Storage, APartKeepsItsBlockAlive) {
  auto block = std::make_shared<Storage>(64);
  std::memset(block->data() + 10, 5, 4);
  const std::weak_ptr<Storage> watched = block;
  StoragePtr part = part_of(block, 10, 4);
  block.reset();
  EXPECT_FALSE(watched.expired());
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(part->data()[i], std::byte{5});
  EXPECT_THROW(part_of(part, 2, 3), Error);
  for (int i = 0; i < 100000; ++i) part = part_of(part, 0, 4);  // freed without recursion
  part.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(Storage, FootprintIsWhatTheSystemGives) {
  EXPECT_EQ(Storage::footprint(1), 64);
  EXPECT_EQ(Storage::footprint((2 << 20) + 1), 4 << 20);
}

}  // namespace
}  // namespace plimsoll
