#include "plimsoll/formats/archives/zip_writer.h"

#include <fcntl.h>
#include <zlib.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_headers.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"

namespace plimsoll {
namespace {

constexpr int64_t kWrittenPieceBytes = int64_t{1} << 20;

uint32_t checksum_with(uint32_t before, std::span<const std::byte> piece) {
  return static_cast<uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(piece.data()), piece.size()));
}

// Copies the whole file to `offset`; returns the checksum of its `size` bytes.
uint32_t copy_file(const FileDescriptor& from, int64_t size, FileDescriptor& to, int64_t offset) {
  ScratchBytes room(static_cast<size_t>(std::min(size, kWrittenPieceBytes)));
  uint32_t checksum = 0;
  for (int64_t at = 0; at < size; at += kWrittenPieceBytes) {
    const auto piece =
        room.bytes().first(static_cast<size_t>(std::min(size - at, kWrittenPieceBytes)));
    from.read_at(at, piece);
    checksum = checksum_with(checksum, piece);
    to.write_at(offset + at, piece);
  }
  return checksum;
}

}  // namespace

ZipWriter::ZipWriter(const std::string& path, const std::string& name)
    : path_(path), name_(name.empty() ? path : name) {}

void ZipWriter::add(const std::string& entry, std::string_view contents) {
  add_part({entry, std::string(contents), {}});
}

void ZipWriter::add_file(const std::string& entry, const std::string& path) {
  add_part({entry, {}, path});
}

void ZipWriter::add_part(Part part) {
  constexpr size_t kLongestName = 0xffff;
  if (part.entry.size() > kLongestName)
    throw InvalidArgument(name_ + ": the name of an entry is longer than 65535 bytes: '" +
                          part.entry.substr(0, 60) + "…'");
  if (std::ranges::find(parts_, part.entry, &Part::entry) != parts_.end())
    throw InvalidArgument(name_ + ": entry '" + part.entry + "' is added twice");
  parts_.push_back(std::move(part));
}

void ZipWriter::finish() {
  FileDescriptor archive(path_, O_WRONLY | O_CREAT | O_TRUNC, 0666, name_);
  for (const Part& part : parts_) write_part(archive, part);
  write_directory(archive);
}

// The header has the checksum, so it is written after the contents, before them in the file.
void ZipWriter::write_part(FileDescriptor& archive, const Part& part) {
  ZipEntry entry{.name = part.entry, .header_offset = end_};
  std::optional<FileDescriptor> file;
  if (!part.path.empty()) file.emplace(part.path, O_RDONLY);
  entry.size = entry.stored_size = file ? file->size() : std::ssize(part.contents);
  const int64_t begin = end_ + std::ssize(zip_local_header(entry));
  if (file) {
    entry.checksum = copy_file(*file, entry.size, archive, begin);
  } else {
    const auto contents = std::as_bytes(std::span(part.contents));
    entry.checksum = checksum_with(0, contents);
    archive.write_at(begin, contents);
  }
  const std::string header = zip_local_header(entry);
  archive.write_at(end_, std::as_bytes(std::span(header)));
  end_ = begin + entry.size;
  entries_.push_back(std::move(entry));
}

void ZipWriter::write_directory(FileDescriptor& archive) {
  std::string directory;
  for (const ZipEntry& entry : entries_) directory += zip_central_header(entry);
  const std::string all = directory + zip_end(std::ssize(entries_), end_, std::ssize(directory));
  archive.write_at(end_, std::as_bytes(std::span(all)));
}

}  // namespace plimsoll
