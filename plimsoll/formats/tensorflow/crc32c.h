// The checksum of TFRecord files. Written here because it is a table and a loop, and eight bytes a
// step are faster than what decodes the data that it checks.
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
