// Checkpoints survive whatever a disk does. A sequence of writes is stopped after each operation,
// by a power cut after which any of the unsynced changes may be lost, torn or made in another
// order, or by a failure. Then the newest checkpoint is the last one that was completed or the one
// that was being written, and nothing is found that is not whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <set>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "tests/support/faulty_file_system.h"

namespace plimsoll {
namespace {

using Fault = FaultyFileSystem::Fault;
using Survivors = std::vector<FaultyFileSystem::Survivor>;
using Bytes = std::vector<std::byte>;

constexpr int kNone = -1;
const std::string kFolder = "run/checkpoints";

// The numbers of the checkpoints; one is written again.
constexpr std::array<int64_t, 5> kNumbers = {10, 20, 20, 35, 300};

// The writes of a run. Write i fills its checkpoint with what only write i contains.
class CheckpointWrites {
 public:
  CheckpointWrites(FaultyFileSystem& disk, int keep, int64_t entry_bytes = 41)
      : folder_(kFolder, disk), keep_(keep), entry_bytes_(entry_bytes) {}

  // PowerCut or an Error where a write does not end.
  void write_all() {
    for (size_t i = 0; i < kNumbers.size(); ++i) write(static_cast<int>(i), kNumbers[i]);
  }

  void write(int write, int64_t number, const std::vector<int64_t>& kept = {}) {
    in_progress_ = write;
    folder_.write(
        number, keep_,
        [&](CheckpointWriter& writer) {
          for (const char* name : {"weights", "slots", "counters"}) {
            const Bytes bytes = contents(write, name);
            writer.add(name, {.dtype = DType::uint8, .shape = {std::ssize(bytes)}}, bytes);
          }
        },
        kept);
    completed_ = write;
    in_progress_ = kNone;
  }

  int completed() const { return completed_; }
  int in_progress() const { return in_progress_; }
  bool may_find(int newest) const {
    return newest == completed_ || (newest != kNone && newest == in_progress_);
  }
  int keep() const { return keep_; }

  // Which write the newest checkpoint is of; none if there is no checkpoint. Everything in it
  // must be what that write has written, and every checkpoint that is found must be whole.
  int newest(FaultyFileSystem& disk) const {
    std::vector<Finding> findings;
    const auto file = CheckpointFolder(kFolder, disk).newest(findings);
    for (const Finding& finding : findings) ADD_FAILURE() << to_string(finding);
    if (!file) return kNone;
    const Bytes weights = read(*file, "weights");
    const int write = std::to_integer<int>(weights.front());
    for (const char* name : {"weights", "slots", "counters"})
      EXPECT_EQ(read(*file, name), contents(write, name)) << name << " of write " << write;
    return write;
  }

 private:
  static Bytes read(const CheckpointFile& file, const std::string& name) {
    Bytes bytes(static_cast<size_t>(file.spec(name).bytes()));
    file.read(name, bytes);
    return bytes;
  }

  Bytes contents(int write, const std::string& name) const {
    Bytes bytes(static_cast<size_t>(entry_bytes_));
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::byte>(static_cast<size_t>(write) + i * name.size());
    return bytes;
  }

  CheckpointFolder folder_;
  int keep_;
  int64_t entry_bytes_;
  int completed_ = kNone;
  int in_progress_ = kNone;
};

int64_t operations_of_all_writes(int keep) {
  FaultyFileSystem disk;
  CheckpointWrites(disk, keep).write_all();
  return disk.operations();
}

Survivors all(size_t count) {
  Survivors survivors(count);
  for (size_t i = 0; i < count; ++i) survivors[i].change = i;
  return survivors;
}

// Every prefix of the changes, with its last one whole and torn; all but one; one torn; one made at
// another time.
std::vector<Survivors> small_losses(size_t count) {
  std::vector<Survivors> losses = {all(count)};
  for (size_t i = 0; i < count; ++i) {
    losses.push_back(all(i));
    Survivors torn_prefix = all(i + 1);
    torn_prefix[i].is_torn = true;
    losses.push_back(torn_prefix);
    Survivors one_torn = all(count);
    one_torn[i].is_torn = true;
    losses.push_back(one_torn);
    Survivors one_lost = all(count);
    one_lost.erase(one_lost.begin() + static_cast<int64_t>(i));
    losses.push_back(one_lost);
    for (size_t to = 0; to < count; ++to) {
      Survivors moved = one_lost;
      moved.insert(moved.begin() + static_cast<int64_t>(to), {.change = i});
      losses.push_back(moved);
    }
  }
  return losses;
}

Survivors random_loss(size_t count, std::mt19937& random) {
  Survivors survivors;
  for (size_t i = 0; i < count; ++i)
    if (random() % 2 == 0) survivors.push_back({.change = i, .is_torn = random() % 4 == 0});
  std::ranges::shuffle(survivors, random);
  return survivors;
}

void expect_good_state(const CheckpointWrites& run, FaultyFileSystem disk,
                       const std::string& when) {
  const int newest = run.newest(disk);
  ASSERT_TRUE(run.may_find(newest))
      << when << ": write " << newest << " is found, " << run.completed() << " was completed and "
      << run.in_progress() << " in progress";
  // The run goes on.
  CheckpointWrites next(disk, run.keep());
  next.write(77, 1000);
  ASSERT_EQ(next.newest(disk), 77) << when;
  ASSERT_LE(disk.list(kFolder).size(), static_cast<size_t>(run.keep())) << when;
}

std::string text_of(const Survivors& survivors) {
  std::string text = "survivors";
  for (const auto& survivor : survivors)
    text += " " + std::to_string(survivor.change) + (survivor.is_torn ? "/2" : "");
  return text;
}

class CheckpointsThatKeep : public testing::TestWithParam<int> {};

TEST_P(CheckpointsThatKeep, SurviveAPowerCutAfterEveryOperation) {
  constexpr int kRandomLosses = 60;
  std::mt19937 random(1);
  const int64_t operations = operations_of_all_writes(GetParam());
  size_t cases = 0;
  for (int64_t last = 0; last <= operations; ++last) {
    FaultyFileSystem disk;
    disk.cut_power_after(last);
    CheckpointWrites run(disk, GetParam());
    if (last < operations) {
      EXPECT_THROW(run.write_all(), PowerCut);
    } else {
      run.write_all();
    }
    std::vector<Survivors> losses = small_losses(disk.unsynced());
    for (int i = 0; i < kRandomLosses; ++i) losses.push_back(random_loss(disk.unsynced(), random));
    for (const Survivors& survivors : losses) {
      const std::byte hole = cases++ % 2 == 0 ? std::byte{0} : std::byte{0xa5};
      expect_good_state(run, disk.after_cut(survivors, hole),
                        "cut after " + std::to_string(last) + ", " + text_of(survivors));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(cases, 5000u);
}

// A write that fails leaves what was there; so do the writes after it, whatever the power does
// then.
TEST_P(CheckpointsThatKeep, SurviveAFailureOfEveryOperation) {
  const int64_t operations = operations_of_all_writes(GetParam());
  for (const Fault fault : {Fault::refused, Fault::disk_full, Fault::done})
    for (const bool for_ever : {false, true})
      for (int64_t first = 1; first <= operations; ++first) {
        FaultyFileSystem disk;
        disk.fail(first, for_ever ? operations * 2 : first, fault);
        CheckpointWrites run(disk, GetParam());
        EXPECT_THROW(run.write_all(), IoError) << "operation " << first;
        disk.fail(0, 0, fault);
        const std::string when = "failure of operation " + std::to_string(first);
        for (const Survivors& survivors : small_losses(disk.unsynced()))
          expect_good_state(run, disk.after_cut(survivors), when + ", " + text_of(survivors));
        expect_good_state(run, disk, when);
        if (testing::Test::HasFatalFailure()) return;
      }
}

// A checkpoint that does not read back as it was written replaces nothing.
TEST_P(CheckpointsThatKeep, SurviveAWriteOfOtherBytes) {
  const int64_t operations = operations_of_all_writes(GetParam());
  size_t noticed = 0;
  for (int64_t garbled = 1; garbled <= operations; ++garbled) {
    FaultyFileSystem disk;
    disk.fail(garbled, garbled, Fault::garbled);
    CheckpointWrites run(disk, GetParam());
    try {
      run.write_all();
    } catch (const CorruptFile&) {
      ++noticed;
    }
    expect_good_state(run, disk, "operation " + std::to_string(garbled) + " is garbled");
  }
  constexpr size_t kWritesOfACheckpoint = 6;  // header, three entries, index, footer
  EXPECT_EQ(noticed, kNumbers.size() * kWritesOfACheckpoint);
}

// The run ignores the failure of one write and goes on. After a cut, what was completed later is
// there.
TEST_P(CheckpointsThatKeep, SurviveAFailureAndThenAPowerCut) {
  std::mt19937 random(2);
  const int64_t operations = operations_of_all_writes(GetParam());
  for (int i = 0; i < 3000; ++i) {
    FaultyFileSystem disk;
    const auto first = static_cast<int64_t>(random() % static_cast<uint64_t>(operations)) + 1;
    const auto last = first + static_cast<int64_t>(random() % 60);
    disk.fail(first, first,
              std::array{Fault::refused, Fault::disk_full, Fault::done}[random() % 3]);
    disk.cut_power_after(last);
    CheckpointWrites run(disk, GetParam());
    // A write that failed after its checkpoint was renamed may be found as well.
    std::vector<int> failed;
    try {
      for (size_t write = 0; write < kNumbers.size(); ++write) try {
          run.write(static_cast<int>(write), kNumbers[write]);
          failed.clear();
        } catch (const IoError&) {
          failed.push_back(static_cast<int>(write));
        }
    } catch (const PowerCut&) {
    }
    FaultyFileSystem after = disk.after_cut(random_loss(disk.unsynced(), random));
    const int newest = run.newest(after);
    EXPECT_TRUE(run.may_find(newest) || std::ranges::find(failed, newest) != failed.end())
        << "write " << newest << " is found, " << run.completed() << " was completed; operation "
        << first << " failed, cut after " << last;
  }
}

INSTANTIATE_TEST_SUITE_P(Keep, CheckpointsThatKeep, testing::Values(1, 2, 3));

// The same with entries of several blocks, each of which is a write of its own.
TEST(CheckpointsOfSeveralBlocks, SurviveAPowerCutAfterEveryOperation) {
  constexpr int64_t kEntryBytes = CheckpointWriter::kPieceBytes + 5;
  for (int64_t last = 0;; ++last) {
    FaultyFileSystem disk;
    disk.cut_power_after(last);
    CheckpointWrites run(disk, 1, kEntryBytes);
    bool is_cut = false;
    try {
      for (int write = 0; write < 2; ++write) run.write(write, write);
    } catch (const PowerCut&) {
      is_cut = true;
    }
    for (size_t lost = 0; lost <= disk.unsynced(); ++lost) {
      Survivors survivors = all(disk.unsynced());
      if (lost < survivors.size()) survivors.erase(survivors.begin() + static_cast<int64_t>(lost));
      FaultyFileSystem after = disk.after_cut(survivors);
      const int newest = run.newest(after);
      ASSERT_TRUE(run.may_find(newest)) << "cut after " << last;
    }
    if (!is_cut) return;
  }
}

// What a run does with its folder beside writing: it keeps the best, goes back to a checkpoint, and
// begins anew, where the first write removes all others. `done` is called after each.
void write_and_remove(CheckpointWrites& run, const CheckpointFolder& folder,
                      const std::function<void(std::set<int64_t> sure)>& done) {
  run.write(0, 10, {});
  done({10});
  run.write(1, 20, {10});
  done({10, 20});
  run.write(2, 30, {10});
  done({10, 30});
  run.write(3, 10, {10});  // goes back
  done({10});
  folder.remove_newer(10);
  done({10});
  run.write(4, 15, {10});
  done({10, 15});
  run.write(5, 12, {});  // begins anew
  done({12});
  folder.remove_newer(12);
  folder.remove_older(12);
  done({12});
}

std::set<int64_t> whole_ones(FaultyFileSystem& disk) {
  std::set<int64_t> whole;
  const CheckpointFolder folder(kFolder, disk);
  for (const int64_t number : folder.numbers()) {
    CheckpointFile::open(folder.path_of(number), disk);
    whole.insert(number);
  }
  return whole;
}

// What each step leaves for sure.
std::vector<std::set<int64_t>> sure_after_steps() {
  FaultyFileSystem disk;
  CheckpointWrites run(disk, 1);
  std::vector<std::set<int64_t>> found;
  write_and_remove(run, CheckpointFolder(kFolder, disk),
                   [&](const std::set<int64_t>& sure) { found.push_back(sure); });
  return found;
}

// What is there for sure before the step that is cut and after it is there, and if anything was,
// something is; everything that is found is whole.
TEST(CheckpointsThatAreRemoved, AreGoneOrWholeAfterAPowerCut) {
  const std::vector<std::set<int64_t>> sure_after = sure_after_steps();
  size_t cases = 0, steps = 0;
  for (int64_t last = 0; steps < sure_after.size(); ++last) {
    FaultyFileSystem disk;
    disk.cut_power_after(last);
    CheckpointWrites run(disk, 1);
    steps = 0;
    try {
      write_and_remove(run, CheckpointFolder(kFolder, disk),
                       [&](const std::set<int64_t>&) { ++steps; });
    } catch (const PowerCut&) {
    }
    std::set<int64_t> sure;
    if (steps > 0) sure = sure_after[steps - 1];
    if (steps < sure_after.size())
      std::erase_if(sure, [&](int64_t it) { return !sure_after[steps].contains(it); });
    for (const Survivors& survivors : small_losses(disk.unsynced())) {
      FaultyFileSystem found = disk.after_cut(survivors);
      const std::set<int64_t> whole = whole_ones(found);
      ++cases;
      ASSERT_TRUE(std::ranges::includes(whole, sure) && (steps == 0 || !whole.empty()))
          << "cut after " << last << ", " << text_of(survivors);
    }
  }
  EXPECT_GT(cases, 500u);
}

// The folder's own name is on the disk before a checkpoint is in it.
TEST(CheckpointsInANewFolder, AreNotLostWithIt) {
  FaultyFileSystem disk;
  CheckpointWrites run(disk, 1);
  run.write(0, 10);
  FaultyFileSystem after = disk.after_cut({});
  EXPECT_EQ(run.newest(after), 0);
  EXPECT_EQ(disk.unsynced(), 0u);
}

}  // namespace
}  // namespace plimsoll
