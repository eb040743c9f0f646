// Random values of a new weight: element i is a pure function of (seed, path, i), whatever the
// number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace plimsoll {

class Draw {
 public:
  Draw(int64_t seed, std::string_view path);

  // In [low, high).
  void uniform(std::span<float> values, double low, double high) const;
  void normal(std::span<float> values, double mean, double stddev) const;
  // Normals drawn again until they are less than two standard deviations from the mean.
  void truncated_normal(std::span<float> values, double mean, double stddev) const;
  // A row-major rows x columns matrix whose shorter side is orthonormal, times `gain`.
  void orthogonal(std::span<float> values, int64_t rows, int64_t columns, double gain) const;

 private:
  std::array<uint32_t, 4> words(uint64_t counter) const;
  std::array<float, 4> normals(uint64_t counter) const;
  float truncated(uint64_t element) const;

  std::array<uint32_t, 2> key_, stream_;
};

}  // namespace plimsoll
