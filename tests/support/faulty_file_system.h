// FaultyFileSystem: a disk in memory that fails, and that forgets what was not synced when its
// power is cut. For every file it knows what is synced and what is only written, and for every
// folder which names are synced, its own too if make_folder made it.
//
//   FaultyFileSystem disk;
//   disk.cut_power_after(7);
//   EXPECT_THROW(write_something(disk), PowerCut);
//   for (size_t lost = 0; lost < disk.unsynced(); ++lost)
//     expect_something(disk.after_cut(all_but(lost)));
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/base/file_system.h"

namespace plimsoll {

// Is thrown by every operation after the cut. It is no Error, so that nothing takes it for one.
struct PowerCut {};

class FaultyFileSystem final : public FileSystem {
 public:
  enum class Fault {
    refused,    // nothing is done: EIO
    disk_full,  // a write is done in half, everything else not at all: ENOSPC
    done,       // it is done and fails nevertheless: EIO
    garbled,    // a write succeeds and writes other bytes
  };
  // A change that was not synced and is on the disk after the cut.
  struct Survivor {
    size_t change = 0;
    bool is_torn = false;  // of a write, only the first half is there
  };

  // Every call of a function, of a file too, is an operation; the first is number 1. Those from
  // `first` to `last` fail.
  void fail(int64_t first, int64_t last, Fault fault);
  void cut_power_after(int64_t operation) { last_operation_ = operation; }
  int64_t operations() const { return operations_; }

  // How many changes are not synced: writes, and creations, renames and removals of names. They are
  // numbered from 0 in the order in which they were made. A folder that was made counts too.
  size_t unsynced() const { return unsynced_.size(); }
  // The disk as it is found after the cut: what was synced, and the survivors, made in that order.
  // Bytes that are in a file but were never written are `hole`.
  FaultyFileSystem after_cut(std::span<const Survivor> survivors,
                             std::byte hole = std::byte{0}) const;

  // Past all faults.
  std::vector<std::byte> bytes_of(const std::string& path) const;
  void put(const std::string& path, std::vector<std::byte> bytes);

  std::unique_ptr<WritableFile> create(const std::string& path) override;
  std::unique_ptr<ReadableFile> open(const std::string& path) const override;
  void rename(const std::string& from, const std::string& to) override;
  void remove(const std::string& path) override;
  std::vector<std::string> list(const std::string& folder) const override;
  void make_folder(const std::string& path) override;
  void sync_folder(const std::string& path) override;

 private:
  class Writable;
  class Readable;
  using Bytes = std::vector<std::byte>;
  using Names = std::map<std::string, size_t>;  // path -> number of the file

  struct File {
    Bytes written = {};
    Bytes synced = {};
    // After a failed sync the system drops what it could not write: later ones sync nothing.
    bool sync_failed = false;
  };
  struct Change {
    enum class Kind { write, name, unname, folder };
    Kind kind;
    size_t file;
    size_t offset = 0;
    Bytes bytes = {};
    std::string path = {};      // name, unname, folder
    std::string old_path = {};  // name: that of a rename
  };

  // What a write does; nothing else is damaged.
  enum class Damage { none, half, garbled };
  // Counts an operation, does it (`effect(damage)`) and fails as was asked for.
  template <class Effect>
  void operate(const std::string& path, const char* what, Effect&& effect) const;
  static void apply(const Change& change, Bytes& bytes, std::byte hole);
  static void apply(const Change& change, Names& names);
  // What is in the folder is lost with it.
  static void lose_folder(const std::string& path, Names& names);
  void change(Change change);
  size_t find(const std::string& path, const char* what) const;

  std::vector<File> files_;
  Names names_;
  Names synced_names_;
  std::set<std::string> folders_;  // that were made here; of others it is not known
  std::vector<Change> unsynced_;
  mutable int64_t operations_ = 0;
  int64_t last_operation_ = std::numeric_limits<int64_t>::max();
  int64_t first_failing_ = 0, last_failing_ = 0;
  Fault fault_ = Fault::refused;
};

}  // namespace plimsoll
