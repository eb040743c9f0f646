#include "plimsoll/data/stages/numpy_shuffle.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// A number from 0 to `largest`: of as many low bits as it has, the first that is not above it.
uint32_t draw(std::mt19937& generator, uint32_t largest) {
  const uint32_t mask = std::numeric_limits<uint32_t>::max() >> std::countl_zero(largest);
  for (;;) {
    const auto value = static_cast<uint32_t>(generator()) & mask;
    if (value <= largest) return value;
  }
}

}  // namespace

std::vector<uint32_t> numpy_shuffle(int64_t count, int64_t seed) {
  if (count > std::numeric_limits<uint32_t>::max())
    throw InvalidArgument(fmt::format(
        "data: {} records are too many to shuffle them before a split; split by hash", count));
  std::vector<uint32_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937 generator(static_cast<uint32_t>(seed));
  for (size_t i = order.size(); i-- > 1;)
    std::swap(order[i], order[draw(generator, static_cast<uint32_t>(i))]);
  return order;
}

}  // namespace plimsoll
