#include "plimsoll/ops/text/text_hash.h"

#include <bit>
#include <cstring>
#include <utility>

namespace plimsoll {
namespace {

constexpr uint64_t kPrime0 = 0xc3a5c85c97cb3127, kPrime1 = 0xb492b66fbe98f273,
                   kPrime2 = 0x9ae16a3b2f90404f;

uint64_t word64(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

uint64_t word32(const char* at) {
  uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

uint64_t byte_at(std::string_view text, size_t at) {
  return static_cast<unsigned char>(text[at]);
}

uint64_t shift_mix(uint64_t value) {
  return value ^ (value >> 47);
}

uint64_t mix(uint64_t u, uint64_t v, uint64_t factor) {
  const uint64_t a = shift_mix((u ^ v) * factor);
  return shift_mix((v ^ a) * factor) * factor;
}

uint64_t up_to_16_bytes(std::string_view text) {
  const char* s = text.data();
  const uint64_t size = text.size(), factor = kPrime2 + size * 2;
  if (size >= 8) {
    const uint64_t a = word64(s) + kPrime2, b = word64(s + size - 8);
    const uint64_t c = std::rotr(b, 37) * factor + a, d = (std::rotr(a, 25) + b) * factor;
    return mix(c, d, factor);
  }
  if (size >= 4) return mix(size + (word32(s) << 3), word32(s + size - 4), factor);
  if (size == 0) return kPrime2;
  const uint64_t y = byte_at(text, 0) + (byte_at(text, size >> 1) << 8);
  const uint64_t z = size + (byte_at(text, size - 1) << 2);
  return shift_mix(y * kPrime2 ^ z * kPrime0) * kPrime2;
}

uint64_t up_to_32_bytes(std::string_view text) {
  const char *s = text.data(), *end = s + text.size();
  const uint64_t factor = kPrime2 + text.size() * 2;
  const uint64_t a = word64(s) * kPrime1, b = word64(s + 8);
  const uint64_t c = word64(end - 8) * factor, d = word64(end - 16) * kPrime2;
  return mix(std::rotr(a + b, 43) + std::rotr(c, 30) + d, a + std::rotr(b + kPrime2, 18) + c,
             factor);
}

uint64_t up_to_64_bytes(std::string_view text) {
  const char *s = text.data(), *end = s + text.size();
  const uint64_t factor = kPrime2 + text.size() * 2;
  const uint64_t a = word64(s) * kPrime2, b = word64(s + 8);
  const uint64_t c = word64(end - 8) * factor, d = word64(end - 16) * kPrime2;
  const uint64_t y = std::rotr(a + b, 43) + std::rotr(c, 30) + d;
  const uint64_t z = mix(y, a + std::rotr(b + kPrime2, 18) + c, factor);
  const uint64_t e = word64(s + 16) * factor, f = word64(s + 24);
  const uint64_t g = (y + word64(end - 32)) * factor, h = (z + word64(end - 24)) * factor;
  return mix(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + a, 18) + g, factor);
}

// The state that 64 bytes at a time are mixed into.
struct LongState {
  uint64_t x, y, z;
  std::pair<uint64_t, uint64_t> v = {0, 0}, w = {0, 0};

  static std::pair<uint64_t, uint64_t> weak(const char* s, uint64_t a, uint64_t b) {
    a += word64(s);
    b = std::rotr(b + a + word64(s + 24), 21);
    const uint64_t c = a;
    a += word64(s + 8) + word64(s + 16);
    return {a + word64(s + 24), b + std::rotr(a, 44) + c};
  }

  // `times` weighs two of the terms; it is 1 but for the last 64 bytes.
  void add(const char* s, uint64_t factor, uint64_t times) {
    x = std::rotr(x + y + v.first + word64(s + 8), 37) * factor;
    y = std::rotr(y + v.second + word64(s + 48), 42) * factor;
    x ^= w.second * times;
    y += v.first * times + word64(s + 40);
    z = std::rotr(z + w.first, 33) * factor;
    v = weak(s, v.second * factor, x + w.first);
    w = weak(s + 32, z + w.second, y + word64(s + 16));
    std::swap(z, x);
  }
};

uint64_t over_64_bytes(std::string_view text) {
  constexpr uint64_t kSeed = 81;
  const char* s = text.data();
  const size_t rest = (text.size() - 1) & 63;
  const char* end = s + (text.size() - 1) / 64 * 64;
  LongState state{.x = kSeed * kPrime2 + word64(s), .y = kSeed * kPrime1 + 113, .z = 0};
  state.z = shift_mix(state.y * kPrime2 + 113) * kPrime2;
  for (; s != end; s += 64) state.add(s, kPrime1, 1);
  const uint64_t factor = kPrime1 + ((state.z & 0xff) << 1);
  auto& [x, y, z, v, w] = state;
  w.first += rest;
  v.first += w.first;
  w.first += v.first;
  state.add(end + rest - 63, factor, 9);
  return mix(mix(v.first, w.first, factor) + shift_mix(y) * kPrime0 + z,
             mix(v.second, w.second, factor) + x, factor);
}

}  // namespace

uint64_t fingerprint64(std::string_view text) {
  if (text.size() <= 16) return up_to_16_bytes(text);
  if (text.size() <= 32) return up_to_32_bytes(text);
  return text.size() <= 64 ? up_to_64_bytes(text) : over_64_bytes(text);
}

uint64_t joined_fingerprint(uint64_t first, uint64_t second) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
  const uint64_t joined = (first ^ kFactor ^ shift_mix(second * kFactor) * kFactor) * kFactor;
  return shift_mix(shift_mix(joined) * kFactor);
}

uint64_t sip_hash(std::string_view text, const std::array<uint64_t, 2>& key) {
  uint64_t a = key[0] ^ 0x736f6d6570736575, b = key[1] ^ 0x646f72616e646f6d,
           c = key[0] ^ 0x6c7967656e657261, d = key[1] ^ 0x7465646279746573;
  const auto rounds = [&](int count) {
    for (; count > 0; --count) {
      a += b, b = std::rotl(b, 13) ^ a, a = std::rotl(a, 32);
      c += d, d = std::rotl(d, 16) ^ c;
      a += d, d = std::rotl(d, 21) ^ a;
      c += b, b = std::rotl(b, 17) ^ c, c = std::rotl(c, 32);
    }
  };
  const auto add = [&](uint64_t word) {
    d ^= word;
    rounds(2);
    a ^= word;
  };
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) add(word64(text.data() + at));
  uint64_t last = uint64_t{text.size()} << 56;
  for (size_t i = 0; at + i < text.size(); ++i) last |= byte_at(text, at + i) << (8 * i);
  add(last);
  c ^= 0xff;
  rounds(4);
  return a ^ b ^ c ^ d;
}

}  // namespace plimsoll
