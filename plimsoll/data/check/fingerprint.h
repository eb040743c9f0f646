// Short numbers computed from the bytes of a record, to find records that are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace plimsoll {

// 64 bits that depend on all of the bytes and on `seed`; never 0. Not safe against bytes that are
// chosen to collide.
uint64_t fingerprint(std::span<const std::byte> bytes, uint64_t seed = 0);

// Of a record; both 0 if it could not be read.
struct Fingerprint {
  uint64_t inputs = 0, targets = 0;
};

}  // namespace plimsoll
