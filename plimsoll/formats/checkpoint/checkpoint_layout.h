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
  // A reference: the entry of this name has its bytes, their place and their checksums.
  std::string same_as = {};
};

struct CheckpointIndex {
  std::vector<std::string> names = {};  // in the order in which they were added
  std::map<std::string, CheckpointEntry, std::less<>> entries = {};
};

struct CheckpointFooter {
  int64_t version = 2;  // of the header
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
  // What is written. Version 1, which has no references, is read too.
  static constexpr int64_t kVersion = 2;

  static std::string header(int64_t version = kVersion);
  // Returns the version.
  static int64_t check_header(const std::string& path, std::span<const std::byte> bytes);

  static std::string encode(const CheckpointFooter& footer);
  // `bytes` are the last kFooterBytes of a file of `file_bytes`.
  static CheckpointFooter decode_footer(const std::string& path, std::span<const std::byte> bytes,
                                        int64_t file_bytes, int64_t version = kVersion);

  static std::string encode(const CheckpointIndex& index);
  // The entries' bytes end at `end`.
  static CheckpointIndex decode_index(const std::string& path, std::span<const std::byte> bytes,
                                      int64_t end, int64_t version = kVersion);

  // Of a block or the index. It depends on the place too, so that blocks which changed places are
  // found.
  static uint64_t checksum(std::span<const std::byte> bytes, int64_t offset);

  static bool is_name(std::string_view name);
  // Of an entry; none where the shape has a negative size or more elements than a file may have.
  static std::optional<int64_t> bytes_of(const Spec& spec);
};

}  // namespace plimsoll
