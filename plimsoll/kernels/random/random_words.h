// The random bits of random tensors and dropout. Element e of sample s (axis 0 is the sample,
// e counts row-major within it) draws word e % 4 of
//   philox(counter = {e / 4, s, step's low half, step's high half}, key = random_key(seed,
//   stream)),
// so the draw depends neither on threads nor on vector width nor on the memory layout. This is part
// of what a saved run means: it never changes.
#pragma once

#include <array>
#include <cstdint>

#include "plimsoll/base/random.h"

namespace plimsoll::kernels {

// Both 64-bit numbers go through the finaliser of SplitMix64, so that seeds 1, 2, 3, … and similar
// streams give unrelated keys.
constexpr std::array<uint32_t, 2> random_key(int64_t seed, uint64_t stream) {
  const auto mix = [](uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  };
  const uint64_t key = mix(mix(static_cast<uint64_t>(seed) + 0x9E3779B97F4A7C15) ^ stream);
  return {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
}

// The numbers that all draws of one run share.
struct Draw {
  std::array<uint32_t, 2> key = {};
  std::array<uint32_t, 2> step = {};  // low half, high half
  uint32_t first_sample = 0;          // added to a row's number

  static constexpr Draw of(int64_t seed, int64_t step, int64_t first_sample, uint64_t stream) {
    const auto bits = static_cast<uint64_t>(step);
    return {random_key(seed, stream),
            {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)},
            static_cast<uint32_t>(first_sample)};
  }
  // The four words of elements 4 * quad … 4 * quad + 3.
  constexpr std::array<uint32_t, 4> words(uint32_t row, uint32_t quad) const {
    return philox({quad, first_sample + row, step[0], step[1]}, key);
  }
};

// As many quads as are drawn at once; the arrays below must hold them all, whatever `count` is.
inline constexpr int64_t kDrawQuads = 256;

// words[4 * i + j] = draw.words(row, quads[i])[j] for i < count, vectorised; what follows in the
// arrays may be read and overwritten.
void draw_words(const Draw& draw, uint32_t row, const uint32_t* quads, int64_t count,
                uint32_t* words);

// y[i] = words[i] >= threshold ? x[i] * scale : 0. x and y may be the same.
void keep_at_random(const uint32_t* words, uint32_t threshold, float scale, int64_t count,
                    const float* x, float* y);

}  // namespace plimsoll::kernels
