// The checksum of TFRecord files. It is written here because it is only a table and a loop, and at
// eight bytes per step it is faster than the decoding of the data that it checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace plimsoll {

// CRC-32C (Castagnoli) of the bytes.
uint32_t crc32c(std::span<const std::byte> bytes);

// As TFRecord stores it: turned and shifted, so that the checksum of data that holds checksums is
// not a trivial number.
constexpr uint32_t masked_crc(uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

}  // namespace plimsoll
