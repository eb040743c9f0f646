// The compression of GIF: LZW with codes of 2 to 12 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plimsoll {

// Fills `into` from what begins with the smallest size of codes and goes on in blocks of up to 255
// bytes. CorruptFile, beginning with `name`, where it is damaged or ends before `into` is full;
// data after that is not looked at.
void unpack_gif(std::span<const std::byte> bytes, const std::string& name, std::span<uint8_t> into);

}  // namespace plimsoll
