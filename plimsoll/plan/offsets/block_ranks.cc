#include "plimsoll/plan/offsets/block_ranks.h"

#include <algorithm>
#include <numeric>

#include "plimsoll/plan/mix_bits.h"

namespace plimsoll::plan {
namespace {

double width(const Block& block) {
  return block.right - block.left + 1;
}

double area(const Block& block) {
  return width(block) * static_cast<double>(block.bytes);
}

// For each block the bytes of all blocks in the fullest of its sections.
std::vector<double> loads(std::span<const Block> blocks) {
  int32_t sections = 0;
  for (const Block& block : blocks) sections = std::max(sections, block.right + 1);
  std::vector<double> totals(sections, 0.0);
  for (const Block& block : blocks) {
    for (int32_t i = block.left; i <= block.right; ++i) {
      totals[i] += static_cast<double>(block.bytes);
    }
  }
  std::vector<double> result;
  for (const Block& block : blocks) {
    result.push_back(
        *std::max_element(totals.begin() + block.left, totals.begin() + block.right + 1));
  }
  return result;
}

double noise(int32_t round, size_t index) {
  const uint64_t seed = (static_cast<uint64_t>(round) << 32) + index;
  return 500.0 + static_cast<double>(mix_bits(seed) % 1000);
}

std::vector<double> scores(std::span<const Block> blocks, int32_t round) {
  const int32_t preference = round / 4;
  if (preference == 1) return loads(blocks);
  std::vector<double> result;
  result.reserve(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (preference == 0) {
      result.push_back(width(block));
    } else if (preference == 2) {
      result.push_back(static_cast<double>(block.bytes));
    } else if (preference == 3) {
      result.push_back(area(block));
    } else {
      result.push_back(noise(round, i) * (preference % 2 == 0 ? area(block) : width(block)));
    }
  }
  return result;
}

}  // namespace

std::vector<int32_t> rank_blocks(std::span<const Block> blocks, int32_t round) {
  const std::vector<double> score = scores(blocks, round);
  std::vector<int32_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return score[a] != score[b] ? score[a] > score[b] : area(blocks[a]) > area(blocks[b]);
  });
  std::vector<int32_t> ranks(blocks.size());
  for (size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<int32_t>(i);
  return ranks;
}

}  // namespace plimsoll::plan
