#include "plimsoll/kernels/recurrent/recurrent_split.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

constexpr int64_t kTileRows = 6;
// Rows whose gates stay in the second-level cache with what else a step touches.
constexpr int64_t kMostBlockRows = 96;
// Fewer rows than this make poor use of the weights that pass by.
constexpr int64_t kLeastPartRows = 4;
// Starting and joining a team, in vector operations of one thread.
constexpr int64_t kForkCost = 60'000;

int64_t divide_up(int64_t value, int64_t by) {
  return (value + by - 1) / by;
}

// Equal blocks that waste few rows of tiles.
int64_t even_block(int64_t rows) {
  int64_t best = rows, least = INT64_MAX;
  for (int64_t blocks = divide_up(rows, kMostBlockRows); blocks <= rows; ++blocks) {
    const int64_t block = divide_up(rows, blocks);
    const int64_t computed = blocks * divide_up(block, kTileRows);
    if (computed < least) best = block, least = computed;
    if (block <= kMostBlockRows / 2) break;
  }
  return best;
}

RecurrentLink gate_link(int64_t units, int gate) {
  return {gate * units, units, gate * units, gate};
}

}  // namespace

std::vector<RecurrentSplit::Block> RecurrentSplit::blocks_of(int64_t part) const {
  std::vector<Block> blocks;
  const int64_t end = std::min(batch, (part + 1) * part_rows);
  for (int64_t first = part * part_rows; first < end; first += block_rows)
    blocks.push_back({first, std::min(block_rows, end - first)});
  return blocks;
}

std::vector<int64_t> RecurrentSplit::block_sizes() const {
  std::vector<int64_t> sizes;
  for (int64_t part = 0; part < parts; ++part)
    for (const Block& block : blocks_of(part)) sizes.push_back(block.rows);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

RecurrentSplit split_recurrent(const RecurrentSizes& sizes, int64_t columns, int64_t threads) {
  RecurrentSplit split = {.batch = sizes.batch};
  const int64_t step_cost = sizes.batch * columns * sizes.units / 8;
  const int64_t most_parts = std::min(threads, sizes.batch / kLeastPartRows);
  if (most_parts > 1 && step_cost * sizes.steps > 2 * kForkCost) split.parts = most_parts;
  split.shared = threads > 1 && split.parts == 1 && step_cost > 2 * kForkCost;
  split.part_rows = std::max<int64_t>(1, divide_up(sizes.batch, split.parts));
  split.parts = std::max<int64_t>(1, divide_up(sizes.batch, split.part_rows));
  split.block_rows = split.shared ? split.part_rows : even_block(split.part_rows);
  return split;
}

int64_t steps_together(int64_t block_rows, int64_t rows, int64_t steps) {
  return std::clamp<int64_t>(rows / block_rows, 1, std::max<int64_t>(steps, 1));
}

std::vector<RecurrentLink> input_links(const RecurrentForm& form, int64_t units) {
  const int count = form.input_dropouts;
  if (count <= 1) return {{.width = form.gates() * units, .dropout = count - 1}};
  std::vector<RecurrentLink> links;
  for (int gate = 0; gate < form.gates(); ++gate) links.push_back(gate_link(units, gate));
  return links;
}

std::vector<RecurrentLink> recurrent_links(const RecurrentForm& form, int64_t units) {
  const int count = form.recurrent_dropouts;
  std::vector<RecurrentLink> links;
  if (count > 1) {
    for (int gate = 0; gate < form.gates(); ++gate) links.push_back(gate_link(units, gate));
  } else if (form.is_gru()) {
    links = {{.width = 2 * units, .dropout = count - 1}, {2 * units, units, 2 * units, count - 1}};
  } else {
    links = {{.width = form.gates() * units, .dropout = count - 1}};
  }
  if (form.is_gru()) {
    links.back().reset = form.resets_before();
    if (form.reset_after) links.back().gate_column = 3 * units;
  }
  return links;
}

}  // namespace plimsoll::kernels
