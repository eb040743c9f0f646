#include "plimsoll/nn/weights/initializer_draw.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "plimsoll/base/random.h"
#include "plimsoll/base/threads.h"

namespace plimsoll {
namespace {

constexpr int64_t kBlocksAThread = 4096;

std::array<uint32_t, 2> halves(uint64_t number) {
  return {static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32)};
}

// values[4 * block + lane] = draw(block)[lane]
template <class DrawFour>
void fill_by_fours(std::span<float> values, DrawFour&& draw) {
  const auto size = static_cast<int64_t>(values.size());
  parallel_for((size + 3) / 4, kBlocksAThread, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const std::array<float, 4> four = draw(static_cast<uint64_t>(block));
      const int64_t count = std::min<int64_t>(4, size - 4 * block);
      std::copy_n(four.begin(), count, values.begin() + 4 * block);
    }
  });
}

// Gram-Schmidt over `count` vectors of `length` numbers each, twice over for accuracy.
void orthonormalize(std::vector<double>& vectors, int64_t count, int64_t length) {
  const auto at = [&](int64_t i) { return std::span(vectors).subspan(i * length, length); };
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < 2 * i; ++j) {
      const std::span<double> other = at(j % i);
      const double along = std::inner_product(other.begin(), other.end(), at(i).begin(), 0.0);
      for (int64_t k = 0; k < length; ++k) at(i)[k] -= along * other[k];
    }
    const double norm =
        std::sqrt(std::inner_product(at(i).begin(), at(i).end(), at(i).begin(), 0.0));
    for (double& value : at(i)) value /= norm;
  }
}

}  // namespace

Draw::Draw(int64_t seed, std::string_view path)
    : key_(halves(static_cast<uint64_t>(seed))), stream_(halves(stream_id(path, 0))) {}

std::array<uint32_t, 4> Draw::words(uint64_t counter) const {
  const auto [low, high] = halves(counter);
  return philox({low, high, stream_[0], stream_[1]}, key_);
}

std::array<float, 4> Draw::normals(uint64_t counter) const {
  const auto bits = words(counter);
  const auto [a, b] = box_muller(bits[0], bits[1]);
  const auto [c, d] = box_muller(bits[2], bits[3]);
  return {a, b, c, d};
}

float Draw::truncated(uint64_t element) const {
  // The attempt is in bits above those of any element's number.
  for (uint64_t attempt = 0;; ++attempt)
    for (const float value : normals(element | attempt << 48))
      if (std::abs(value) < 2) return value;
}

void Draw::uniform(std::span<float> values, double low, double high) const {
  fill_by_fours(values, [&](uint64_t block) {
    std::array<float, 4> four;
    std::ranges::transform(words(block), four.begin(), [&](uint32_t bits) {
      return static_cast<float>(low + (high - low) * uniform01(bits));
    });
    return four;
  });
}

void Draw::normal(std::span<float> values, double mean, double stddev) const {
  fill_by_fours(values, [&](uint64_t block) {
    std::array<float, 4> four = normals(block);
    for (float& value : four) value = static_cast<float>(mean + stddev * value);
    return four;
  });
}

void Draw::truncated_normal(std::span<float> values, double mean, double stddev) const {
  fill_by_fours(values, [&](uint64_t block) {
    std::array<float, 4> four;
    for (uint64_t lane = 0; lane < 4; ++lane)
      four[lane] = static_cast<float>(mean + stddev * truncated(4 * block + lane));
    return four;
  });
}

void Draw::orthogonal(std::span<float> values, int64_t rows, int64_t columns, double gain) const {
  const int64_t count = std::min(rows, columns), length = std::max(rows, columns);
  std::vector<float> drawn(values.size());
  normal(drawn, 0, 1);
  std::vector<double> vectors(drawn.begin(), drawn.end());
  orthonormalize(vectors, count, length);
  // A wide matrix has the vectors as rows, a tall one as columns.
  for (int64_t i = 0; i < count; ++i)
    for (int64_t k = 0; k < length; ++k)
      values[rows < columns ? i * columns + k : k * columns + i] =
          static_cast<float>(gain * vectors[static_cast<size_t>(i * length + k)]);
}

}  // namespace plimsoll
