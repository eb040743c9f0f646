#include "plimsoll/formats/archives/zip_contents.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"

namespace plimsoll {
namespace {

constexpr int64_t kZipPieceBytes = int64_t{1} << 18;

// Passes pieces on to the sink and keeps count of them.
class CountedSink {
 public:
  CountedSink(const ZipEntry& entry, const std::function<void(std::span<const std::byte>)>& sink)
      : entry_(entry), sink_(sink) {}

  void add(std::span<const std::byte> piece) {
    checksum_ = crc32(checksum_, reinterpret_cast<const Bytef*>(piece.data()),
                      static_cast<uInt>(piece.size()));
    size_ += std::ssize(piece);
    if (size_ > entry_.size) refuse_size();
    if (!piece.empty()) sink_(piece);
  }
  void finish() const {
    if (size_ != entry_.size) refuse_size();
    if (checksum_ != entry_.checksum)
      throw CorruptFile("its CRC-32 is wrong, so its contents are damaged");
  }

 private:
  [[noreturn]] void refuse_size() const {
    throw CorruptFile(
        fmt::format("does not have the {} bytes that the directory says", entry_.size));
  }

  const ZipEntry& entry_;
  const std::function<void(std::span<const std::byte>)>& sink_;
  uLong checksum_ = crc32(0, nullptr, 0);
  int64_t size_ = 0;
};

// The stored bytes of an entry, piece by piece.
class StoredPieces {
 public:
  StoredPieces(ByteSource& archive, const ZipEntry& entry)
      : archive_(archive),
        at_(zip_contents_offset(archive, entry.header_offset)),
        end_(at_ + entry.stored_size),
        room_(static_cast<size_t>(std::min(entry.stored_size, kZipPieceBytes))) {
    check_range(archive, static_cast<uint64_t>(at_), static_cast<uint64_t>(entry.stored_size),
                "the contents of an entry");
  }

  // Empty at the end.
  std::span<std::byte> next() {
    const auto piece =
        std::span(room_).first(std::min(room_.size(), static_cast<size_t>(end_ - at_)));
    archive_.read_at(at_, piece);
    at_ += std::ssize(piece);
    return piece;
  }

 private:
  ByteSource& archive_;
  int64_t at_, end_;
  std::vector<std::byte> room_;
};

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Expands all of `piece`; true if the compressed data ends in it.
  bool expand(std::span<std::byte> piece, CountedSink& sink) {
    stream_.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_in = static_cast<uInt>(piece.size());
    for (;;) {
      stream_.next_out = reinterpret_cast<Bytef*>(room_.data());
      stream_.avail_out = static_cast<uInt>(room_.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        throw CorruptFile("its compressed data is damaged");
      sink.add(std::span(room_).first(room_.size() - stream_.avail_out));
      if (result == Z_STREAM_END) return true;
      if (stream_.avail_out > 0) return false;  // needs more input
    }
  }

 private:
  z_stream stream_{};
  std::vector<std::byte> room_ = std::vector<std::byte>(kZipPieceBytes);
};

void inflate_all(StoredPieces& pieces, CountedSink& sink) {
  Inflater inflater;
  for (;;) {
    const std::span<std::byte> piece = pieces.next();
    if (piece.empty()) throw CorruptFile("its compressed data ends too early");
    if (inflater.expand(piece, sink)) return;
  }
}

// Expands all of `from` into all of `into`.
void inflate_at_once(std::span<std::byte> from, std::span<std::byte> into) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(from.data());
  stream.avail_in = static_cast<uInt>(from.size());
  stream.next_out = reinterpret_cast<Bytef*>(into.data());
  stream.avail_out = static_cast<uInt>(into.size());
  const int result = inflate(&stream, Z_FINISH);
  const bool is_full = stream.avail_out == 0;
  inflateEnd(&stream);
  if (result != Z_STREAM_END || !is_full)
    throw CorruptFile(result == Z_DATA_ERROR
                          ? "its compressed data is damaged"
                          : "its compressed data does not have the size that the directory says");
}

}  // namespace

void read_zip_contents(ByteSource& archive, const ZipEntry& entry, std::span<std::byte> into) {
  const int64_t at = zip_contents_offset(archive, entry.header_offset);
  check_range(archive, static_cast<uint64_t>(at), static_cast<uint64_t>(entry.stored_size),
              "the contents of an entry");
  if (entry.compressed) {
    ScratchBytes stored(static_cast<size_t>(entry.stored_size));
    archive.read_at(at, stored.bytes());
    inflate_at_once(stored.bytes(), into);
  } else {
    archive.read_at(at, into);
  }
  const uLong checksum = crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(into.data()),
                               static_cast<uInt>(into.size()));
  if (checksum != entry.checksum)
    throw CorruptFile("its CRC-32 is wrong, so its contents are damaged");
}

void stream_zip_contents(ByteSource& archive, const ZipEntry& entry,
                         const std::function<void(std::span<const std::byte>)>& sink) {
  StoredPieces pieces(archive, entry);
  CountedSink counted(entry, sink);
  if (entry.compressed)
    inflate_all(pieces, counted);
  else
    for (std::span<std::byte> piece = pieces.next(); !piece.empty(); piece = pieces.next())
      counted.add(piece);
  counted.finish();
}

}  // namespace plimsoll
