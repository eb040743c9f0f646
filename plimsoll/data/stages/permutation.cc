#include "plimsoll/data/stages/permutation.h"

#include <bit>

namespace plimsoll {
namespace {

constexpr int kRounds = 6;

// The finaliser of splitmix64: every bit of the input reaches every bit of the output.
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

Permutation::Permutation(int64_t size, uint64_t key) : size_(size), key_(key) {
  const auto largest = static_cast<uint64_t>(size > 1 ? size - 1 : 1);
  const int bits = static_cast<int>(std::bit_width(largest));
  half_bits_ = (bits + 1) / 2;
}

// A Feistel network is a bijection whatever its round function.
uint64_t Permutation::encrypt(uint64_t x) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = x >> half_bits_, right = x & mask;
  for (uint64_t round = 0; round < kRounds; ++round) {
    const uint64_t next = left ^ (mix(key_ + mix(right * kRounds + round)) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

// The cipher's domain is less than four times as large; walking the cycle until it is back inside
// keeps the bijection.
int64_t Permutation::operator()(int64_t i) const {
  uint64_t x = encrypt(static_cast<uint64_t>(i));
  while (x >= static_cast<uint64_t>(size_)) x = encrypt(x);
  return static_cast<int64_t>(x);
}

uint64_t shuffle_key(int64_t seed, int64_t epoch) {
  return mix(mix(static_cast<uint64_t>(seed)) + static_cast<uint64_t>(epoch));
}

}  // namespace plimsoll
