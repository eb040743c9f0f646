#include "plimsoll/base/xxh3.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "plimsoll/base/file_descriptor.h"

namespace plimsoll {
namespace {

std::string digits(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string xxh3_of(std::string_view text) {
  return digits(XXH3_128bits(text.data(), text.size()));
}

std::string xxh3_of_file(const std::string& path) {
  constexpr int64_t kPieceBytes = int64_t{1} << 20;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       XXH3_freeState);
  if (state == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  const FileDescriptor file(path, O_RDONLY);
  std::vector<std::byte> piece(kPieceBytes);
  const int64_t size = file.size();
  for (int64_t at = 0; at < size; at += kPieceBytes) {
    const auto part = std::span(piece).first(static_cast<size_t>(std::min(kPieceBytes, size - at)));
    file.read_at(at, part);
    XXH3_128bits_update(state.get(), part.data(), part.size());
  }
  return digits(XXH3_128bits_digest(state.get()));
}

uint64_t xxh3_checksum(std::span<const std::byte> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace plimsoll
