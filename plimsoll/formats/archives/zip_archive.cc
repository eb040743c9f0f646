#include "plimsoll/formats/archives/zip_archive.h"

#include <fcntl.h>
#include <zip.h>

#include <algorithm>
#include <set>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_bytes.h"
#include "plimsoll/formats/bytes/unnamed_file.h"

namespace plimsoll {
namespace {

constexpr int64_t kMaxEntries = 100'000;
// Deflate makes at most 1032 bytes of one, so that more is a lie.
constexpr int64_t kMaxExpansion = 1033;
// A large entry that is so much larger than what is stored is there to fill the disk.
constexpr int64_t kLargeEntry = int64_t{256} << 20;
constexpr int64_t kMaxExpansionOfLarge = 100;
constexpr size_t kPieceBytes = size_t{1} << 18;

bool leads_out_of_folder(std::string_view name) {
  if (name.empty() || name.starts_with('/') || name.find('\\') != name.npos) return true;
  if (name.size() > 1 && name[1] == ':') return true;  // a drive
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

// Printable, and no longer than a line.
std::string shown(std::string_view name) {
  std::string text(name.substr(0, 100));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return "'" + text + (name.size() > 100 ? "...'" : "'");
}

// An entry that is stored as it is: read where it stands.
class StoredEntry final : public ByteSource {
 public:
  StoredEntry(std::string name, int64_t size, std::shared_ptr<zip> archive,
              std::shared_ptr<ZipBytes> reader, std::shared_ptr<zip_file> file)
      : name_(std::move(name)),
        size_(size),
        reader_(std::move(reader)),
        archive_(std::move(archive)),
        file_(std::move(file)) {}

  const std::string& name() const override { return name_; }
  int64_t size() const override { return size_; }

  void read_at(int64_t offset, std::span<std::byte> into) override {
    if (zip_fseek(file_.get(), offset, SEEK_SET) != 0) refuse(offset);
    while (!into.empty()) {
      const zip_int64_t got = zip_fread(file_.get(), into.data(), into.size());
      if (got <= 0) refuse(offset);
      into = into.subspan(static_cast<size_t>(got));
      offset += got;
    }
  }

 private:
  [[noreturn]] void refuse(int64_t offset) const {
    reader_->rethrow();
    throw CorruptFile(name_ + ": cannot be read at byte " + std::to_string(offset) + ": " +
                      zip_file_strerror(file_.get()));
  }

  std::string name_;
  int64_t size_;
  std::shared_ptr<ZipBytes> reader_;  // outlives what reads through it
  std::shared_ptr<zip> archive_;
  std::shared_ptr<zip_file> file_;
};

}  // namespace

ZipArchive::ZipArchive(const std::string& path) : ZipArchive(file_source(path)) {}

ZipArchive::ZipArchive(ByteSourcePtr bytes)
    : bytes_(std::move(bytes)),
      reader_(std::make_shared<ZipBytes>(bytes_)),
      archive_(reader_->open()) {
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  if (count > kMaxEntries)
    throw CorruptFile(name() + ": has " + std::to_string(count) + " entries, at most " +
                      std::to_string(kMaxEntries) + " are read");
  std::set<std::string_view> names;
  entries_.reserve(static_cast<size_t>(count));
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t status;
    if (zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(i), 0, &status) != 0 ||
        status.name == nullptr || static_cast<int64_t>(status.size) < 0 ||
        static_cast<int64_t>(status.comp_size) < 0)
      throw CorruptFile(name() + ": entry " + std::to_string(i) + " has no name or size");
    entries_.push_back({status.name, static_cast<int64_t>(status.size),
                        static_cast<int64_t>(status.comp_size),
                        status.comp_method != ZIP_CM_STORE});
    const std::string& entry = entries_.back().name;
    if (leads_out_of_folder(entry)) refuse(entry, "has a name that leads out of its folder");
    if (!names.insert(entry).second) refuse(entry, "is there twice");
  }
}

bool ZipArchive::has(std::string_view entry) const {
  return std::ranges::find(entries_, entry, &ZipEntry::name) != entries_.end();
}

std::string ZipArchive::read(std::string_view entry, int64_t max_bytes) const {
  const ZipEntry& found = entries_[find(entry)];
  if (found.size > max_bytes)
    refuse(found.name, "holds " + format_bytes(found.size) + ", at most " +
                           format_bytes(max_bytes) + " are read");
  std::string contents;
  contents.reserve(static_cast<size_t>(found.size));
  stream(entry, [&](std::span<const std::byte> piece) {
    contents.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return contents;
}

void ZipArchive::stream(std::string_view entry, const Sink& sink) const {
  const size_t index = find(entry);
  const auto file = open_entry(index);
  std::vector<std::byte> piece(kPieceBytes);
  int64_t left = entries_[index].size;
  for (;;) {
    const zip_int64_t got = zip_fread(file.get(), piece.data(), piece.size());
    if (got < 0) reader_->rethrow();
    if (got < 0) refuse(entries_[index].name, zip_file_strerror(file.get()));
    left -= got;
    if (left < 0 || (got == 0 && left > 0))
      refuse(entries_[index].name, "has not the size that is said of it");
    if (got == 0) return;
    sink({piece.data(), static_cast<size_t>(got)});
  }
}

ByteSourcePtr ZipArchive::open(std::string_view entry, const std::string& folder) const {
  const size_t index = find(entry);
  const ZipEntry& found = entries_[index];
  const std::string full_name = name() + "/" + found.name;
  if (found.compressed) {
    UnnamedFile file(folder, full_name);
    stream(entry, [&](std::span<const std::byte> piece) { file.append(piece); });
    return std::move(file).source();
  }
  stream(entry, [](std::span<const std::byte>) {});
  return std::make_shared<StoredEntry>(full_name, found.size, archive_, reader_, open_entry(index));
}

size_t ZipArchive::find(std::string_view entry) const {
  const auto found = std::ranges::find(entries_, entry, &ZipEntry::name);
  if (found == entries_.end())
    throw CorruptFile(name() + ": has no entry " + shown(entry) + " in its zip archive");
  return static_cast<size_t>(found - entries_.begin());
}

void ZipArchive::check(size_t index) const {
  zip_stat_t status;
  const ZipEntry& entry = entries_[index];
  if (zip_stat_index(archive_.get(), index, 0, &status) != 0)
    refuse(entry.name, zip_strerror(archive_.get()));
  if (status.encryption_method != ZIP_EM_NONE) refuse(entry.name, "is encrypted");
  if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)
    refuse(entry.name, "is compressed by method " + std::to_string(status.comp_method) +
                           "; stored (0) and deflated (8) entries are read");
  const int64_t most = entry.size > kLargeEntry ? kMaxExpansionOfLarge : kMaxExpansion;
  if (entry.stored_size > bytes_->size() || entry.size / most > entry.stored_size)
    refuse(entry.name, "is said to expand from " + format_bytes(entry.stored_size) + " to " +
                           format_bytes(entry.size));
}

std::shared_ptr<zip_file> ZipArchive::open_entry(size_t index) const {
  check(index);
  zip_file_t* file = zip_fopen_index(archive_.get(), index, 0);
  if (file == nullptr) {
    reader_->rethrow();
    refuse(entries_[index].name, zip_strerror(archive_.get()));
  }
  return {file, zip_fclose};
}

void ZipArchive::refuse(const std::string& entry, const std::string& why) const {
  throw CorruptFile(name() + ": entry " + shown(entry) + " of the zip archive is refused: " + why);
}

}  // namespace plimsoll
