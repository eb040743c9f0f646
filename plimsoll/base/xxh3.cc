#include "plimsoll/base/xxh3.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

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

Xxh3::Xxh3() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(static_cast<XXH3_state_t*>(state_.get()));
}

void Xxh3::Free::operator()(void* state) const {
  XXH3_freeState(static_cast<XXH3_state_t*>(state));
}

void Xxh3::add(std::string_view piece) {
  XXH3_128bits_update(static_cast<XXH3_state_t*>(state_.get()), piece.data(), piece.size());
}

std::string Xxh3::text() const {
  return digits(XXH3_128bits_digest(static_cast<const XXH3_state_t*>(state_.get())));
}

std::string xxh3_of_file(const std::string& path) {
  constexpr int64_t kPieceBytes = int64_t{1} << 20;
  Xxh3 hash;
  const FileDescriptor file(path, O_RDONLY);
  std::string piece(kPieceBytes, '\0');
  const int64_t size = file.size();
  for (int64_t at = 0; at < size; at += kPieceBytes) {
    const auto part = std::span(piece).first(static_cast<size_t>(std::min(kPieceBytes, size - at)));
    file.read_at(at, std::as_writable_bytes(part));
    hash.add({part.data(), part.size()});
  }
  return hash.text();
}

uint64_t xxh3_checksum(std::span<const std::byte> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace plimsoll
