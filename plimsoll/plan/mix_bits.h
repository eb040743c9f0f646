// A hash of 64 bits (splitmix64's finalizer): fingerprints, and numbers that only look random.
#pragma once

#include <cstdint>

namespace plimsoll::plan {

constexpr uint64_t mix_bits(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace plimsoll::plan
