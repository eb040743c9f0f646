// Numbers in bytes, the lowest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace plimsoll {

// Of `count` bytes at `at`, at most four, which must be there.
inline uint32_t little_endian(std::span<const std::byte> bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = count; i-- > 0;) value = value << 8 | std::to_integer<uint32_t>(bytes[at + i]);
  return value;
}

}  // namespace plimsoll
