#include "plimsoll/data/check/fingerprint.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace plimsoll {
namespace {

constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 / the golden ratio

// One to one; each bit changes about half of the others.
uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 32)) * 0xD6E8FEB86659FD93;
  value = (value ^ (value >> 29)) * kOdd;
  return value ^ (value >> 32);
}

}  // namespace

// Two lanes, so that the multiplications of one need not wait for those of the other.
uint64_t fingerprint(std::span<const std::byte> bytes, uint64_t seed) {
  uint64_t lanes[2] = {seed ^ kOdd, mixed(seed + bytes.size())};
  while (!bytes.empty()) {
    uint64_t words[2] = {};
    const size_t count = std::min(bytes.size(), sizeof words);
    std::memcpy(words, bytes.data(), count);
    for (int i = 0; i < 2; ++i) lanes[i] = mixed(lanes[i] ^ words[i]) + kOdd;
    bytes = bytes.subspan(count);
  }
  const uint64_t result = mixed(mixed(lanes[0]) + std::rotl(lanes[1], 17));
  return result == 0 ? 1 : result;
}

}  // namespace plimsoll
