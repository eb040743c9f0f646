#include "plimsoll/formats/tensorflow/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

namespace plimsoll {
namespace {

using Tables = std::array<std::array<uint32_t, 256>, 8>;

// Table k has the remainder of a byte that k zero bytes follow.
constexpr Tables make_tables() {
  constexpr uint32_t kPolynomial = 0x82f63b78;  // bits in reverse order
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = rest;
  }
  for (size_t k = 1; k < tables.size(); ++k)
    for (size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}

constexpr Tables kTables = make_tables();

uint32_t eight_bytes(uint32_t crc, const std::byte* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  word ^= crc;
  uint32_t rest = 0;
  for (size_t k = 0; k < 8; ++k) rest ^= kTables[7 - k][word >> (8 * k) & 0xff];
  return rest;
}

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes) {
  uint32_t crc = 0xffffffff;
  size_t at = 0;
  if constexpr (std::endian::native == std::endian::little)
    for (; at + 8 <= bytes.size(); at += 8) crc = eight_bytes(crc, bytes.data() + at);
  for (; at < bytes.size(); ++at)
    crc = (crc >> 8) ^ kTables[0][(crc ^ std::to_integer<uint32_t>(bytes[at])) & 0xff];
  return ~crc;
}

}  // namespace plimsoll
