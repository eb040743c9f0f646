#include "plimsoll/engine/machine_speed.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

// A cache folder of its own; each ask is as if it were the first.
class MachineSpeedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* set = std::getenv("XDG_CACHE_HOME")) before_ = set;
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  void TearDown() override {
    before_.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    forget_machine_speed();
  }

  static MachineSpeed ask(int64_t room_bytes) {
    forget_machine_speed();
    measure_machine_speed(room_bytes);
    return machine_speed();
  }
  // The only file in the cache; empty if there is none.
  std::string file() const {
    if (folder_.count() == 0) return "";
    return std::filesystem::directory_iterator(folder_.path("plimsoll"))->path();
  }

  const TemporaryFolder folder_;
  std::string before_;
};

TEST_F(MachineSpeedTest, IsMeasuredOnceAndKept) {
  const MachineSpeed first = ask(int64_t{1} << 30);
  ASSERT_NE(file(), "");
  EXPECT_GT(first.operations_per_second, 1e8);
  EXPECT_GT(first.bytes_per_second, 1e8);
  std::ofstream(file()) << "1e9 2e9\n";
  EXPECT_EQ(ask(int64_t{1} << 30).bytes_per_second, 2e9);
}

TEST_F(MachineSpeedTest, IsTypicalWhereThereIsNoRoomToMeasureIt) {
  const MachineSpeed speed = ask(int64_t{1} << 20);
  EXPECT_EQ(file(), "");
  EXPECT_GT(speed.operations_per_second, 1e9);
}

TEST_F(MachineSpeedTest, IsNotWhatADamagedFileSays) {
  ask(int64_t{1} << 30);
  for (const char* nonsense : {"", "fast", "-1 5", "1e300 1e9", "nan nan"}) {
    std::ofstream(file()) << nonsense;
    const MachineSpeed speed = ask(int64_t{1} << 20);
    EXPECT_GT(speed.operations_per_second, 1e9) << nonsense;
    EXPECT_LT(speed.operations_per_second, 1e15) << nonsense;
  }
}

}  // namespace
}  // namespace plimsoll
