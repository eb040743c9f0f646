// The hashes of text that TensorFlow, and so Keras, puts into bins with.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plimsoll {

// FarmHash's Fingerprint64: the same on every machine and in every version.
uint64_t fingerprint64(std::string_view text);

// Two fingerprints as one, in this order.
uint64_t joined_fingerprint(uint64_t first, uint64_t second);

// SipHash-2-4 with a key of 128 bits.
uint64_t sip_hash(std::string_view text, const std::array<uint64_t, 2>& key);

}  // namespace plimsoll
