#include "plimsoll/formats/archives/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_contents.h"
#include "plimsoll/formats/bytes/byte_range.h"
#include "plimsoll/formats/bytes/unnamed_file.h"

namespace plimsoll {
namespace {

// Deflate makes at most 1032 bytes from one; a larger claim is false.
constexpr int64_t kMaxExpansion = 1033;
// A large entry that expands more than this is made to fill the disk.
constexpr int64_t kLargeEntry = int64_t{256} << 20;
constexpr int64_t kMaxExpansionOfLarge = 100;

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
  return fmt::format("'{}{}'", text, name.size() > 100 ? "..." : "");
}

}  // namespace

ZipArchive::ZipArchive(const std::string& path) : ZipArchive(file_source(path)) {}

ZipArchive::ZipArchive(ByteSourcePtr bytes)
    : bytes_(std::move(bytes)), entries_(read_zip_directory(*bytes_)) {
  std::set<std::string_view> names;
  for (const ZipEntry& entry : entries_) {
    if (leads_out_of_folder(entry.name))
      refuse(entry.name, "has a name that leads out of its folder");
    if (!names.insert(entry.name).second) refuse(entry.name, "is there twice");
  }
}

bool ZipArchive::has(std::string_view entry) const {
  return std::ranges::find(entries_, entry, &ZipEntry::name) != entries_.end();
}

std::string ZipArchive::read(std::string_view entry, int64_t max_bytes) const {
  const ZipEntry& found = find(entry);
  if (found.size > max_bytes)
    refuse(found.name, fmt::format("holds {}, at most {} are read", format_bytes(found.size),
                                   format_bytes(max_bytes)));
  check(found);
  std::string contents;
  contents.reserve(static_cast<size_t>(found.size));
  stream(entry, [&](std::span<const std::byte> piece) {
    contents.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return contents;
}

void ZipArchive::read_into(const ZipEntry& entry, std::span<std::byte> into) const {
  check(entry);
  constexpr int64_t kMost = int64_t{1} << 31;
  if (std::ssize(into) != entry.size || entry.size >= kMost || entry.stored_size >= kMost)
    refuse(entry.name, "is too large to be read at once");
  try {
    read_zip_contents(*bytes_, entry, into);
  } catch (const CorruptFile& error) {
    refuse(entry.name, error.what());
  }
}

void ZipArchive::stream(std::string_view entry, const Sink& sink) const {
  const ZipEntry& found = find(entry);
  check(found);
  try {
    stream_zip_contents(*bytes_, found, sink);
  } catch (const CorruptFile& error) {
    refuse(found.name, error.what());
  }
}

ByteSourcePtr ZipArchive::open(std::string_view entry, const std::string& folder) const {
  const ZipEntry& found = find(entry);
  if (found.compressed) {
    UnnamedFile file(folder, fmt::format("{}/{}", name(), found.name));
    stream(entry, [&](std::span<const std::byte> piece) { file.append(piece); });
    return std::move(file).source();
  }
  stream(entry, [](std::span<const std::byte>) {});
  return open_unchecked(entry);
}

ByteSourcePtr ZipArchive::open_unchecked(std::string_view entry) const {
  const ZipEntry& found = find(entry);
  check(found);
  if (found.compressed) refuse(found.name, "is compressed, so it cannot be read in place");
  return part_of(bytes_, zip_contents_offset(*bytes_, found.header_offset), found.size,
                 fmt::format("{}/{}", name(), found.name));
}

const ZipEntry& ZipArchive::find(std::string_view entry) const {
  const auto found = std::ranges::find(entries_, entry, &ZipEntry::name);
  if (found == entries_.end())
    throw CorruptFile(fmt::format("{}: has no entry {} in its zip archive", name(), shown(entry)));
  return *found;
}

void ZipArchive::check(const ZipEntry& entry) const {
  constexpr int kStored = 0, kDeflated = 8;
  if (entry.encrypted) refuse(entry.name, "is encrypted");
  if (entry.method != kStored && entry.method != kDeflated)
    refuse(entry.name,
           fmt::format("is compressed by method {}; stored (0) and deflated (8) entries are read",
                       entry.method));
  if (!entry.compressed && entry.size != entry.stored_size)
    refuse(entry.name, "is stored as it is, but with another size");
  const int64_t most = entry.size > kLargeEntry ? kMaxExpansionOfLarge : kMaxExpansion;
  if (entry.stored_size > bytes_->size() || entry.size / most > entry.stored_size)
    refuse(entry.name, fmt::format("is said to expand from {} to {}",
                                   format_bytes(entry.stored_size), format_bytes(entry.size)));
}

void ZipArchive::refuse(const std::string& entry, const std::string& why) const {
  throw CorruptFile(
      fmt::format("{}: entry {} of the zip archive is refused: {}", name(), shown(entry), why));
}

}  // namespace plimsoll
