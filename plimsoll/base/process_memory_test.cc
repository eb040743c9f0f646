#include "plimsoll/base/process_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int64_t kMiB = int64_t{1} << 20;

// A folder that stands for "/" and is removed with the test.
class FakeMachine : public testing::Test {
 protected:
  FakeMachine() {
    std::string folder = (std::filesystem::temp_directory_path() / "plimsoll_root_XXXXXX").string();
    if (!mkdtemp(folder.data())) throw IoError(folder + ": cannot be made");
    root_ = folder;
  }
  ~FakeMachine() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  void write_machine(int64_t available_mib, const std::string& groups) {
    write("proc/meminfo", "MemTotal:       99999999 kB\nMemFree:        1 kB\nMemAvailable:   " +
                              std::to_string(available_mib * 1024) + " kB\n");
    write("proc/self/cgroup", groups);
  }

  void write_group_v2(const std::string& folder, const std::string& max, int64_t current,
                      int64_t active_file, int64_t inactive_file) {
    write(folder + "/memory.max", max + "\n");
    write(folder + "/memory.current", std::to_string(current) + "\n");
    write(folder + "/memory.stat",
          "anon 1\nfile 77777777777\nfile_mapped 5\ninactive_anon 3\nactive_anon 4\n"
          "inactive_file " +
              std::to_string(inactive_file) + "\nactive_file " + std::to_string(active_file) +
              "\n");
  }

  void write_group_v1(const std::string& folder, int64_t limit, int64_t usage,
                      int64_t inactive_file) {
    write(folder + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    write(folder + "/memory.usage_in_bytes", std::to_string(usage) + "\n");
    // The group's own numbers come first; those with its descendants are named total_.
    write(folder + "/memory.stat", "inactive_file 1\nactive_file 1\ntotal_inactive_file " +
                                       std::to_string(inactive_file) + "\ntotal_active_file 0\n");
  }

  int64_t available_mib() const { return memory_available(root_.string()) / kMiB; }

  std::filesystem::path root_;
};

using ProcessMemoryOf = FakeMachine;
using MemoryAvailable = FakeMachine;

TEST_F(ProcessMemoryOf, ReadsResidentAndPeakFromStatus) {
  write("proc/self/status",
        "Name:\tVmRSS: 9 kB\nVmPeak:\t  900 kB\nVmHWM:\t  300 kB\nVmRSS:\t  200 kB\n");
  const ProcessMemory memory = process_memory(root_.string());
  EXPECT_EQ(memory.resident_bytes, 200 * 1024);
  EXPECT_EQ(memory.peak_resident_bytes, 300 * 1024);
}

TEST_F(ProcessMemoryOf, NamesTheFileAndTheLineItMisses) {
  write("proc/self/status", "VmRSS:\t  200 kB\n");
  EXPECT_THAT([&] { process_memory(root_.string()); },
              ThrowsMessage<IoError>(AllOf(HasSubstr("/proc/self/status"), HasSubstr("VmHWM"))));
  EXPECT_THROW(process_memory("/no/such/root"), IoError);
}

TEST(ProcessMemory, SeesMemoryThatThisProcessTouches) {
  const ProcessMemory before = process_memory();
  std::vector<char> block(64 * kMiB, 1);
  const ProcessMemory during = process_memory();
  EXPECT_GT(block[static_cast<size_t>(kMiB)], 0);
  EXPECT_GE(during.resident_bytes, before.resident_bytes + 60 * kMiB);
  EXPECT_GE(during.peak_resident_bytes, before.resident_bytes + 60 * kMiB);
}

TEST_F(MemoryAvailable, IsTheMachinesWhereNoGroupLimits) {
  write_machine(1000, "0::/\n");
  EXPECT_EQ(available_mib(), 1000);
  write_group_v2("sys/fs/cgroup", "max", 10 * kMiB, 0, 0);
  EXPECT_EQ(available_mib(), 1000);
}

TEST_F(MemoryAvailable, CountsDroppableFileCacheOfAGroupAsFree) {
  write_machine(1000, "0::/job\n");
  write_group_v2("sys/fs/cgroup/job", std::to_string(500 * kMiB), 450 * kMiB, 100 * kMiB,
                 200 * kMiB);
  EXPECT_EQ(available_mib(), 500 - (450 - 300));
}

TEST_F(MemoryAvailable, TakesTheTightestOfTheAncestors) {
  write_machine(1000, "0::/slice/job\n");
  write_group_v2("sys/fs/cgroup/slice/job", std::to_string(800 * kMiB), 100 * kMiB, 0, 0);
  write_group_v2("sys/fs/cgroup/slice", std::to_string(900 * kMiB), 850 * kMiB, 0, 0);
  EXPECT_EQ(available_mib(), 50);
}

TEST_F(MemoryAvailable, ReadsVersionOneWithItsDescendants) {
  write_machine(1000, "5:cpuset:/other\n4:cpu,memory:/a/b\n0::/\n");
  write_group_v1("sys/fs/cgroup/memory/a/b", 400 * kMiB, 300 * kMiB, 50 * kMiB);
  write_group_v1("sys/fs/cgroup/memory", 9223372036854771712, 900 * kMiB, 0);
  EXPECT_EQ(available_mib(), 400 - (300 - 50));
}

TEST_F(MemoryAvailable, ReadsVersionTwoBesideVersionOne) {
  write_machine(1000, "0::/job\n");
  write_group_v2("sys/fs/cgroup/unified/job", std::to_string(70 * kMiB), 0, 0, 0);
  EXPECT_EQ(available_mib(), 70);
}

TEST_F(MemoryAvailable, UsesTheMountWhereTheGroupHasTheHostsName) {
  write_machine(1000, "4:memory:/docker/0123abcd\n");
  write_group_v1("sys/fs/cgroup/memory", 256 * kMiB, 56 * kMiB, 0);
  EXPECT_EQ(available_mib(), 200);
}

TEST_F(MemoryAvailable, IsNeverNegative) {
  write_machine(1000, "0::/job\n");
  write_group_v2("sys/fs/cgroup/job", std::to_string(kMiB), 5 * kMiB, 0, 0);
  EXPECT_EQ(available_mib(), 0);
}

TEST_F(MemoryAvailable, IgnoresGroupsThatCannotBeUnderstood) {
  write_machine(1000, "nonsense\n::\n7\n0::/job");
  write("sys/fs/cgroup/job/memory.max", "lots\n");
  EXPECT_EQ(available_mib(), 1000);
}

TEST_F(MemoryAvailable, RefusesAMachineWithoutMeminfo) {
  EXPECT_THAT([&] { memory_available(root_.string()); },
              ThrowsMessage<IoError>(HasSubstr("MemAvailable")));
}

TEST(MemoryAvailableHere, IsPositive) {
  EXPECT_GT(memory_available(), 0);
}

}  // namespace
}  // namespace plimsoll
