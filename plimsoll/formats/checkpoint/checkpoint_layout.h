// The parts of a checkpoint file as values and as bytes: what the writer encodes, the reader
// decodes. docs/formats/checkpoint.md has the bytes. Decoding trusts nothing, since a checksum can
// be forged: what is not as the document says is a CorruptFile that begins with the path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/tensor/spec.h"

namespace plimsoll {

struct CheckpointEntry {
  Spec spec = {};
  int64_t offset = 0;                    // of its first byte in the file
  std::vector<uint64_t> checksums = {};  // of its blocks
};

struct CheckpointIndex {
  std::vector<std::string> names = {};  // in the order of the entries' bytes
  std::map<std::string, CheckpointEntry, std::less<>> entries = {};
};

struct CheckpointFooter {
  int64_t index_offset = 0;
  int64_t index_bytes = 0;
  uint64_t index_checksum = 0;
  int64_t file_bytes = 0;
};

struct CheckpointLayout {
  static constexpr int64_t kBlockBytes = int64_t{1} << 18;
  static constexpr int64_t kHeaderBytes = 16;
  static constexpr int64_t kFooterBytes = 48;
  static constexpr int64_t kMostIndexBytes = int64_t{1} << 26;
  static constexpr int64_t kMostEntries = int64_t{1} << 17;
  static constexpr int64_t kMostNameBytes = 4096;

  static std::string header();
  static void check_header(const std::string& path, std::span<const std::byte> bytes);

  static std::string encode(const CheckpointFooter& footer);
  // `bytes` are the last kFooterBytes of a file of `file_bytes`.
  static CheckpointFooter decode_footer(const std::string& path, std::span<const std::byte> bytes,
                                        int64_t file_bytes);

  static std::string encode(const CheckpointIndex& index);
  // The entries' bytes end at `end`.
  static CheckpointIndex decode_index(const std::string& path, std::span<const std::byte> bytes,
                                      int64_t end);

  // Of a block or the index. It depends on the place too, so that blocks which changed places are
  // found.
  static uint64_t checksum(std::span<const std::byte> bytes, int64_t offset);

  static bool is_name(std::string_view name);
  // Of an entry; none where the shape has a negative size or more elements than a file may have.
  static std::optional<int64_t> bytes_of(const Spec& spec);
};

}  // namespace plimsoll
