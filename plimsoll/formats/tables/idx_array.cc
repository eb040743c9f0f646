#include "plimsoll/formats/tables/idx_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/unnamed_file.h"

namespace plimsoll {
namespace {

bool is_gzip(ByteSource& file) {
  std::byte start[2] = {};
  if (file.size() < 2) return false;
  file.read_at(0, start);
  return start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b};
}

// Announces that the array is written out; IoError if the disk has no room for it.
void announce(const std::string& path, int64_t bytes, const std::string& folder,
              const IdxOptions& options) {
  if (options.announce)
    options.announce({.severity = Finding::Severity::note,
                      .where = path,
                      .what = "is compressed; it is written out once, " + format_bytes(bytes) +
                              " in " + folder});
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (!error && static_cast<uintmax_t>(bytes) > space.available)
    throw IoError(folder + ": has no room for " + path + ", which takes " + format_bytes(bytes) +
                  " there; free some, or expand the file");
}

ByteSourcePtr expanded(const std::string& path, const IdxOptions& options) {
  constexpr int64_t kPieceBytes = 1 << 20;
  const Spec spec = read_idx_header(gzip_reader(path), path, options.max_bytes);
  const int64_t promised = idx_header_bytes(spec) + spec.bytes();
  const std::string folder = options.folder.empty() ? temporary_folder() : options.folder;
  announce(path, promised, folder, options);
  UnnamedFile file(folder, path);
  const ByteReader reader = gzip_reader(path);
  std::vector<std::byte> piece(static_cast<size_t>(std::min(kPieceBytes, promised + 1)));
  // One byte more than was promised is enough to see that there are more.
  for (int64_t written = 0; written <= promised;) {
    const int64_t got = reader(piece.data(), static_cast<int64_t>(piece.size()));
    if (got == 0) break;
    file.append(std::span(piece).first(static_cast<size_t>(got)));
    written += got;
  }
  return std::move(file).source();
}

ByteSourcePtr readable(const std::string& path, const IdxOptions& options) {
  ByteSourcePtr file = file_source(path);
  return is_gzip(*file) ? expanded(path, options) : file;
}

Spec checked_spec(ByteSource& file, int64_t max_bytes) {
  int64_t at = 0;
  const auto reader = [&](std::byte* into, int64_t size) {
    const int64_t count = std::min(size, file.size() - at);
    file.read_at(at, {into, static_cast<size_t>(count)});
    at += count;
    return count;
  };
  const Spec spec = read_idx_header(reader, file.name(), max_bytes);
  // Its other dimensions would be unbounded.
  if (spec.bytes() == 0) throw CorruptFile(file.name() + ": has no element");
  const int64_t found = file.size() - idx_header_bytes(spec);
  if (found != spec.bytes())
    throw CorruptFile(fmt::format("{}: its header describes {}, which takes {} bytes, found {}",
                                  file.name(), spec.to_string(), spec.bytes(), found));
  return spec;
}

}  // namespace

IdxArray::IdxArray(const std::string& path, const IdxOptions& options)
    : IdxArray(readable(path, options), options.max_bytes) {}

IdxArray::IdxArray(ByteSourcePtr file, int64_t max_bytes)
    : file_(std::move(file)), spec_(checked_spec(*file_, max_bytes)) {}

int64_t IdxArray::row_bytes() const {
  const int rank = spec_.shape.rank();
  return (rank == 0 ? 1 : spec_.shape.elements(1, rank)) * size_of(spec_.dtype);
}

void IdxArray::read_rows(int64_t first, int64_t count, std::byte* into) const {
  const std::span<std::byte> rows(into, static_cast<size_t>(count * row_bytes()));
  file_->read_at(idx_header_bytes(spec_) + first * row_bytes(), rows);
  swap_idx_bytes(spec_, rows);
}

}  // namespace plimsoll
