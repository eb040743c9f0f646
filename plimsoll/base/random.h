// Random numbers as pure functions of a counter and a key (Philox4x32-10, Salmon et al. 2011), so
// that replays, recomputation, micro-batches and resumed runs draw the same numbers.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace plimsoll {

// 128 random bits for each (counter, key); equal to Random123's philox4x32 with ten rounds.
constexpr std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                         std::array<uint32_t, 2> key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = uint64_t{0xD2511F53} * counter[0];
    const uint64_t product1 = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

// A multiple of 2^-24 in [0, 1), from the upper 24 bits.
constexpr float uniform01(uint32_t bits) {
  return static_cast<float>(bits >> 8) * 0x1p-24f;
}

// Two independent standard normals from two independent words. None is larger than 6.7.
inline std::array<float, 2> box_muller(uint32_t bits0, uint32_t bits1) {
  // In (0, 1], with all 32 bits, so that the logarithm is finite and the tail is long.
  const float uniform = static_cast<float>((static_cast<double>(bits0) + 1) * 0x1p-32);
  const float radius = std::sqrt(-2 * std::log(uniform));
  const float angle = 2 * std::numbers::pi_v<float> * uniform01(bits1);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// Names a random stream: FNV-1a (64 bits) of a layer's path and of which call of the layer it is,
// as four bytes, the lowest first. The value is part of the format of saved runs: it never changes.
constexpr uint64_t stream_id(std::string_view path, uint32_t call) {
  constexpr uint64_t kPrime = 0x100000001B3;
  uint64_t hash = 0xCBF29CE484222325;
  for (char c : path) hash = (hash ^ static_cast<uint8_t>(c)) * kPrime;
  for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ ((call >> shift) & 0xFF)) * kPrime;
  return hash;
}

}  // namespace plimsoll
