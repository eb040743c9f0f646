#include "plimsoll/data/sources/line_index.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// The bytes of a file from one offset on, a piece at a time.
class Pieces {
 public:
  Pieces(ByteSource& file, int64_t offset, int64_t piece_bytes)
      : file_(file), offset_(offset), piece_(static_cast<size_t>(piece_bytes), ' ') {}

  // The next piece, empty at the end; valid until the next call.
  std::string_view next() {
    const auto size =
        static_cast<size_t>(std::min(static_cast<int64_t>(piece_.size()), file_.size() - offset_));
    file_.read_at(offset_, std::as_writable_bytes(std::span(piece_).first(size)));
    offset_ += static_cast<int64_t>(size);
    return std::string_view(piece_).substr(0, size);
  }

 private:
  ByteSource& file_;
  int64_t offset_;
  std::string piece_;
};

}  // namespace

void LineIndex::add_file(ByteSource& file, int64_t skipped) {
  constexpr int64_t kPieceBytes = 1 << 20;
  File index{.lines_begin = size(), .lines_end = 0, .skipped = skipped, .offsets = {}};
  Pieces pieces(file, 0, kPieceBytes);
  int64_t line = 0, begin = 0, at = 0;
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    for (size_t end = piece.find('\n'); end != piece.npos; end = piece.find('\n', end + 1)) {
      index.offsets.add(line++, begin);
      begin = at + static_cast<int64_t>(end) + 1;
    }
    at += static_cast<int64_t>(piece.size());
  }
  if (begin < file.size()) index.offsets.add(line++, begin);
  index.lines_end = index.lines_begin + std::max<int64_t>(line - skipped, 0);
  files_.push_back(std::move(index));
}

LineIndex::LinePosition LineIndex::operator[](int64_t record) const {
  const auto file = std::ranges::upper_bound(files_, record, {}, &File::lines_end);
  const int64_t line = record - file->lines_begin + file->skipped;
  const SparseOffsets::Point& point = file->offsets.before(line);
  return {static_cast<size_t>(file - files_.begin()), line + 1, point.offset, line - point.record};
}

int64_t LineIndex::bytes() const {
  auto bytes = static_cast<int64_t>(files_.capacity() * sizeof(File));
  for (const File& file : files_) bytes += file.offsets.bytes();
  return bytes;
}

std::string read_line(ByteSource& file, int64_t offset, int64_t passed, int64_t most) {
  constexpr int64_t kPieceBytes = 8192;  // most often all that is needed
  Pieces pieces(file, offset, kPieceBytes);
  std::string line;
  while (true) {
    std::string_view piece = pieces.next();
    for (; passed > 0 && piece.find('\n') != piece.npos; --passed)
      piece.remove_prefix(piece.find('\n') + 1);
    if (passed > 0 && piece.empty())
      throw IoError(file.name() + ": became shorter while it was read");
    if (passed > 0) continue;
    const size_t end = piece.find('\n');
    line += piece.substr(0, end);
    const bool has_end = end != piece.npos || piece.empty();
    if (has_end && line.ends_with('\r')) line.pop_back();
    // One byte more than `most` may be a '\r' that does not belong to the line.
    if (has_end || static_cast<int64_t>(line.size()) > most + 1) break;
  }
  return line.substr(
      0, static_cast<size_t>(std::min<int64_t>(most, static_cast<int64_t>(line.size()))));
}

}  // namespace plimsoll
