#include "plimsoll/formats/bytes/scratch_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <thread>

namespace plimsoll {
namespace {

// In a thread of its own, which has kept nothing yet.
template <class Action>
void in_a_new_thread(Action action) {
  std::thread(action).join();
}

TEST(ScratchBytes, UsesABlockAgain) {
  in_a_new_thread([] {
    const uint8_t* first = ScratchBytes(200'000).data();
    EXPECT_EQ(ScratchBytes(100).data(), first);
    EXPECT_EQ(ScratchBytes(200'000).data(), first);
    EXPECT_EQ(ScratchBytes(0).size(), 0u);
  });
}

TEST(ScratchBytes, NeverGivesABlockTwice) {
  in_a_new_thread([] {
    for (int round = 0; round < 2; ++round) {
      std::array<std::optional<ScratchBytes>, 5> blocks;
      for (size_t i = 0; i < blocks.size(); ++i) {
        blocks[i].emplace(1000 * (i + 1));
        std::fill_n(blocks[i]->data(), blocks[i]->size(), static_cast<uint8_t>(i));
      }
      for (size_t i = 0; i < blocks.size(); ++i)
        EXPECT_TRUE(std::all_of(blocks[i]->data(), blocks[i]->data() + blocks[i]->size(),
                                [&](uint8_t byte) { return byte == i; }));
    }
  });
}

}  // namespace
}  // namespace plimsoll
