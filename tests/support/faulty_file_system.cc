#include "tests/support/faulty_file_system.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

[[noreturn]] void refuse(const std::string& path, const char* what, int error) {
  throw IoError(path + ": cannot be " + what + ": " + std::strerror(error));
}

}  // namespace

class FaultyFileSystem::Writable final : public WritableFile {
 public:
  Writable(FaultyFileSystem& disk, size_t file, std::string path)
      : disk_(disk), file_(file), path_(std::move(path)) {}

  void write(std::span<const std::byte> bytes) override {
    disk_.operate(path_, "written", [&](Damage damage) {
      if (damage == Damage::half) bytes = bytes.first(bytes.size() / 2);
      Bytes written(bytes.begin(), bytes.end());
      if (damage == Damage::garbled) written[written.size() / 2] ^= std::byte{4};
      disk_.change({.kind = Change::Kind::write,
                    .file = file_,
                    .offset = size_,
                    .bytes = std::move(written)});
      size_ += bytes.size();
    });
  }

  void sync() override {
    File& file = disk_.files_[file_];
    try {
      disk_.operate(path_, "flushed to the disk", [&](Damage) {
        if (file.sync_failed) return;
        file.synced = file.written;
        std::erase_if(disk_.unsynced_, [&](const Change& change) {
          return change.kind == Change::Kind::write && change.file == file_;
        });
      });
    } catch (const IoError&) {
      file.sync_failed = true;
      throw;
    }
  }

 private:
  FaultyFileSystem& disk_;
  size_t file_;
  std::string path_;
  size_t size_ = 0;
};

class FaultyFileSystem::Readable final : public ReadableFile {
 public:
  Readable(const FaultyFileSystem& disk, size_t file, std::string path)
      : disk_(disk), file_(file), path_(std::move(path)) {}

  int64_t size() const override { return static_cast<int64_t>(bytes().size()); }
  void read_at(int64_t offset, std::span<std::byte> into) const override {
    disk_.operate(path_, "read", [&](Damage) {
      if (offset < 0 || offset > size() || std::cmp_greater(into.size(), size() - offset))
        throw CorruptFile(path_ + ": ends before");
      std::copy_n(bytes().begin() + offset, into.size(), into.begin());
    });
  }

 private:
  const Bytes& bytes() const { return disk_.files_[file_].written; }

  const FaultyFileSystem& disk_;
  size_t file_;
  std::string path_;
};

void FaultyFileSystem::fail(int64_t first, int64_t last, Fault fault) {
  first_failing_ = first;
  last_failing_ = last;
  fault_ = fault;
}

template <class Effect>
void FaultyFileSystem::operate(const std::string& path, const char* what, Effect&& effect) const {
  if (operations_ >= last_operation_) throw PowerCut{};
  ++operations_;
  const bool is_write = std::string_view(what) == "written";
  if (operations_ < first_failing_ || operations_ > last_failing_) return effect(Damage::none);
  if (fault_ == Fault::garbled) return effect(is_write ? Damage::garbled : Damage::none);
  if (fault_ == Fault::done) effect(Damage::none);
  if (fault_ == Fault::disk_full && is_write) effect(Damage::half);
  refuse(path, what, fault_ == Fault::disk_full ? ENOSPC : EIO);
}

void FaultyFileSystem::apply(const Change& change, Bytes& bytes, std::byte hole) {
  bytes.resize(std::max(bytes.size(), change.offset + change.bytes.size()), hole);
  std::ranges::copy(change.bytes, bytes.begin() + static_cast<int64_t>(change.offset));
}

void FaultyFileSystem::apply(const Change& change, Names& names) {
  const auto erase = [&](const std::string& path) {
    if (const auto found = names.find(path); found != names.end() && found->second == change.file)
      names.erase(found);
  };
  if (change.kind == Change::Kind::unname) return erase(change.path);
  erase(change.old_path);
  names[change.path] = change.file;
}

void FaultyFileSystem::lose_folder(const std::string& path, Names& names) {
  std::erase_if(names, [&](const auto& name) { return name.first.starts_with(path + "/"); });
}

void FaultyFileSystem::change(Change change) {
  if (change.kind == Change::Kind::folder)
    folders_.insert(change.path);
  else if (change.kind == Change::Kind::write)
    apply(change, files_[change.file].written, std::byte{0});
  else
    apply(change, names_);
  unsynced_.push_back(std::move(change));
}

size_t FaultyFileSystem::find(const std::string& path, const char* what) const {
  const auto found = names_.find(path);
  if (found == names_.end()) refuse(path, what, ENOENT);
  return found->second;
}

FaultyFileSystem FaultyFileSystem::after_cut(std::span<const Survivor> survivors,
                                             std::byte hole) const {
  FaultyFileSystem disk;
  for (const File& file : files_) disk.files_.push_back({.written = file.synced});
  disk.names_ = synced_names_;
  disk.folders_ = folders_;
  std::set<std::string> lost;
  for (const Change& change : unsynced_)
    if (change.kind == Change::Kind::folder) lost.insert(change.path);
  for (const Survivor& survivor : survivors) {
    Change change = unsynced_.at(survivor.change);
    if (change.kind == Change::Kind::folder) {
      lost.erase(change.path);
      continue;
    }
    if (survivor.is_torn) change.bytes.resize(change.bytes.size() / 2);
    if (change.kind == Change::Kind::write)
      apply(change, disk.files_[change.file].written, hole);
    else
      apply(change, disk.names_);
  }
  for (const std::string& folder : lost) {
    lose_folder(folder, disk.names_);
    std::erase_if(disk.folders_, [&](const std::string& made) {
      return made == folder || made.starts_with(folder + "/");
    });
  }
  for (File& file : disk.files_) file.synced = file.written;
  disk.synced_names_ = disk.names_;
  return disk;
}

std::vector<std::byte> FaultyFileSystem::bytes_of(const std::string& path) const {
  return files_[find(path, "read")].written;
}

void FaultyFileSystem::put(const std::string& path, std::vector<std::byte> bytes) {
  if (!names_.contains(path)) files_.emplace_back();
  const size_t file = names_.try_emplace(path, files_.size() - 1).first->second;
  synced_names_[path] = file;
  files_[file] = {.written = bytes, .synced = std::move(bytes)};
}

std::unique_ptr<WritableFile> FaultyFileSystem::create(const std::string& path) {
  operate(path, "opened", [&](Damage) {
    if (const auto found = names_.find(path); found != names_.end())
      change({.kind = Change::Kind::unname, .file = found->second, .path = path});
    files_.emplace_back();
    change({.kind = Change::Kind::name, .file = files_.size() - 1, .path = path});
  });
  return std::make_unique<Writable>(*this, names_.at(path), path);
}

std::unique_ptr<ReadableFile> FaultyFileSystem::open(const std::string& path) const {
  operate(path, "opened", [&](Damage) { find(path, "opened"); });
  return std::make_unique<Readable>(*this, names_.at(path), path);
}

void FaultyFileSystem::rename(const std::string& from, const std::string& to) {
  operate(to, "replaced", [&](Damage) {
    change(
        {.kind = Change::Kind::name, .file = find(from, "replaced"), .path = to, .old_path = from});
  });
}

void FaultyFileSystem::remove(const std::string& path) {
  operate(path, "removed", [&](Damage) {
    change({.kind = Change::Kind::unname, .file = find(path, "removed"), .path = path});
  });
}

std::vector<std::string> FaultyFileSystem::list(const std::string& folder) const {
  std::vector<std::string> names;
  operate(folder, "listed", [&](Damage) {
    for (const auto& [path, file] : names_)
      if (folder_of(path) == folder)
        names.push_back(std::filesystem::path(path).filename().string());
  });
  return names;
}

// As the real one does: what is there already may have been made a moment ago, so its name is
// synced too.
void FaultyFileSystem::make_folder(const std::string& path) {
  const std::string above = folder_of(path);
  if (!above.empty() && above != path && !folders_.contains(above))
    make_folder(above);
  else if (!folders_.contains(path))
    sync_folder(folder_of(above));
  operate(path, "made", [&](Damage) {
    if (!folders_.contains(path)) change({.kind = Change::Kind::folder, .file = 0, .path = path});
  });
  sync_folder(above);
}

void FaultyFileSystem::sync_folder(const std::string& path) {
  operate(path, "flushed to the disk", [&](Damage) {
    const auto is_here = [&](const std::string& name) { return folder_of(name) == path; };
    std::erase_if(synced_names_, [&](const auto& name) { return is_here(name.first); });
    std::ranges::copy_if(names_, std::inserter(synced_names_, synced_names_.end()),
                         [&](const auto& name) { return is_here(name.first); });
    std::erase_if(unsynced_, [&](const Change& change) {
      return change.kind != Change::Kind::write && is_here(change.path);
    });
  });
}

}  // namespace plimsoll
