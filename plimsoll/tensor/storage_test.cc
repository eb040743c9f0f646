#include "plimsoll/tensor/storage.h"

#include <gtest/gtest.h>

#include <cstring>

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

TEST(Storage, FootprintIsWhatTheSystemGives) {
  EXPECT_EQ(Storage::footprint(1), 64);
  EXPECT_EQ(Storage::footprint((2 << 20) + 1), 4 << 20);
}

}  // namespace
}  // namespace plimsoll
