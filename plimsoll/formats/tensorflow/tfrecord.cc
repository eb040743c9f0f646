#include "plimsoll/formats/tensorflow/tfrecord.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/forward_reader.h"
#include "plimsoll/formats/tensorflow/crc32c.h"

namespace plimsoll {
namespace {

constexpr int64_t kHeaderBytes = 12, kFooterBytes = 4;
constexpr int64_t kFrameBytes = kHeaderBytes + kFooterBytes;

uint64_t little_endian(std::span<const std::byte> bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i)
    value = value << 8 | std::to_integer<uint64_t>(bytes[i - 1]);
  return value;
}

bool is_checksum_of(std::span<const std::byte> stored, std::span<const std::byte> bytes) {
  return little_endian(stored) == masked_crc(crc32c(bytes));
}

// The length; none if its checksum does not match.
std::optional<uint64_t> length_in(std::span<const std::byte> header) {
  if (!is_checksum_of(header.subspan(8, 4), header.first(8))) return std::nullopt;
  return little_endian(header.first(8));
}

std::string_view compression_of(std::span<const std::byte> start) {
  const auto at = [&](size_t i) { return std::to_integer<int>(start[i]); };
  if (at(0) == 0x1f && at(1) == 0x8b) return "GZIP";
  if (at(0) == 0x78 && (at(0) * 256 + at(1)) % 31 == 0) return "ZLIB";
  return {};
}

// Walks from header to header.
class Indexer {
 public:
  Indexer(ByteSource& file, const TfRecordLimits& limits)
      : file_(file), reader_(file), limits_(limits) {}

  void run(const std::function<void(int64_t)>& found) {
    for (; offset_ < file_.size(); ++number_) {
      const int64_t length = length_of(header());
      check_end(length);
      found(offset_);
      offset_ += length + kFrameBytes;
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw CorruptFile(
        fmt::format("{}: record {} at byte {} {}", file_.name(), number_, offset_, what));
  }

  std::span<const std::byte> header() {
    if (file_.size() - offset_ < kHeaderBytes)
      refuse(fmt::format("is cut off: expected {} bytes for its length, found {}", kHeaderBytes,
                         file_.size() - offset_));
    return reader_.read(offset_, kHeaderBytes);
  }

  int64_t length_of(std::span<const std::byte> header) const {
    const std::optional<uint64_t> length = length_in(header);
    if (!length && number_ == 0) refuse_other_files(header);
    if (!length) refuse("has a length whose checksum is wrong; the file is damaged from here on");
    if (*length > static_cast<uint64_t>(limits_.record_bytes))
      refuse(fmt::format("is said to have {} bytes, at most {} are read", *length,
                         format_bytes(limits_.record_bytes)));
    return static_cast<int64_t>(*length);
  }

  [[noreturn]] void refuse_other_files(std::span<const std::byte> header) const {
    const std::string_view compression = compression_of(header);
    if (compression.empty())
      throw CorruptFile(file_.name() + ": is not a TFRecord file, or damaged at its first byte");
    throw CorruptFile(file_.name() + ": is compressed (" + std::string(compression) +
                      "), so no record can be read by itself; write it without compression" +
                      (compression == "GZIP" ? ", or expand it with gunzip" : ""));
  }

  void check_end(int64_t length) const {
    const int64_t there = file_.size() - offset_ - kFrameBytes;
    if (length > there)
      refuse(fmt::format("is cut off: expected {} bytes of data, found {}", length,
                         std::max<int64_t>(there, 0)));
  }

  ByteSource& file_;
  ForwardReader reader_;
  const TfRecordLimits& limits_;
  int64_t offset_ = 0, number_ = 0;  // of the record that is looked at
};

void append_little_endian(std::string& text, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace

void index_tfrecords(ByteSource& file, const std::function<void(int64_t offset)>& found,
                     const TfRecordLimits& limits) {
  Indexer(file, limits).run(found);
}

std::span<const std::byte> tfrecord_data(std::span<const std::byte> record,
                                         const std::string& name) {
  const auto bytes = static_cast<int64_t>(record.size());
  if (bytes < kFrameBytes ||
      length_in(record) != std::optional(static_cast<uint64_t>(bytes - kFrameBytes)))
    throw CorruptFile(name + ": the length of the record is damaged; the file may have changed");
  const auto data = record.subspan(kHeaderBytes, record.size() - kFrameBytes);
  if (!is_checksum_of(record.last(kFooterBytes), data))
    throw CorruptFile(name + ": the data of the record is damaged (its checksum is wrong)");
  return data;
}

std::string tfrecord_of(std::span<const std::byte> data) {
  std::string record;
  append_little_endian(record, data.size(), 8);
  append_little_endian(record, masked_crc(crc32c(std::as_bytes(std::span(record)))), 4);
  record.append(reinterpret_cast<const char*>(data.data()), data.size());
  append_little_endian(record, masked_crc(crc32c(data)), 4);
  return record;
}

}  // namespace plimsoll
