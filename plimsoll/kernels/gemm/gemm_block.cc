#include "plimsoll/kernels/gemm/gemm_block.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/gemm/gemm_block.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/gemm/gemm_dots-inl.h"
#include "plimsoll/kernels/gemm/gemm_pack-inl.h"
#include "plimsoll/kernels/gemm/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

TileShape tile_shape() {
  return {kTileRows, kTileColumns};
}

// One range of k, and what its packing buffers hold.
struct Step {
  const GemmBlock& block;
  const GemmPlan& plan;
  int64_t p0 = 0, k = 0;
  float* packed_a = nullptr;
  float* packed_b = nullptr;
};

// Points a tile at rows [i0, i0 + rows) of A; returns the distance from one of them to the next.
int64_t place_a(const Step& step, int64_t i0, int64_t rows, Tile& tile) {
  const GemmBlock& block = step.block;
  tile.a = block.a + i0 * block.a_row + step.p0 * block.a_k;
  tile.a_row = block.a_row;
  tile.a_k = block.a_k;
  if (!step.plan.pack_a) return block.a_row;
  pack_a_block(tile.a, block.a_row, block.a_k, rows, step.k, step.packed_a);
  tile.a = step.packed_a;
  tile.a_row = block.a_k == 1 ? step.k : 1;
  tile.a_k = block.a_k == 1 ? 1 : kTileRows;
  return step.k;
}

// Points a tile at the panel of B that starts at column j0 + j. A packed panel is packed when it is
// first wanted, so that it is in the first-level cache when its tiles are multiplied.
void place_b(const Step& step, int64_t j0, int64_t j, bool first, Tile& tile) {
  const GemmBlock& block = step.block;
  const float* b = block.b + step.p0 * block.b_k + (j0 + j) * block.b_column;
  if (!step.plan.pack_b && tile.columns >= kTileColumns) {
    tile.b = b;
    tile.b_k = block.b_k;
    return;
  }
  float* panel = step.packed_b + (step.plan.pack_b ? j * step.k : 0);
  if (first) pack_b_panel(b, block.b_k, block.b_column, step.k, tile.columns, panel);
  tile.b = panel;
  tile.b_k = kTileColumns;
}

// Asks for one of `shares` equal shares of B's columns [j, j + width), between tiles, so that they
// are near when they are packed or read.
void prefetch_b(const Step& step, int64_t j, int64_t width, int64_t share, int64_t shares) {
  constexpr int64_t kLine = 16;
  const GemmBlock& block = step.block;
  const bool by_row = block.b_column == 1;
  const int64_t across = by_row ? (width + kLine - 1) / kLine : width;
  const int64_t lines = across * (by_row ? step.k : (step.k + kLine - 1) / kLine);
  const int64_t next = by_row ? kLine : block.b_column, below = by_row ? block.b_k : kLine;
  const float* b = block.b + step.p0 * block.b_k + j * block.b_column;
  for (int64_t line = lines * share / shares; line < lines * (share + 1) / shares; ++line)
    hwy::Prefetch(b + line / across * below + line % across * next);
}

// All tiles of C between m rows of A and one panel of B; `near_j` is the column of the panel that
// comes soon.
void multiply_panel(const Step& step, Tile tile, int64_t m, int64_t row_step, bool wide,
                    int64_t near_j) {
  const int64_t tiles = (m + kTileRows - 1) / kTileRows;
  const MultiplyTile* const multiply = wide ? kMultiplyWideTile : kMultiplyTile;
  for (int64_t t = 0; t < tiles; ++t) {
    if (near_j + tile.columns <= step.block.n) prefetch_b(step, near_j, tile.columns, t, tiles);
    multiply[std::min(kTileRows, m - t * kTileRows)](tile);
    tile.a += kTileRows * row_step;
    tile.c += kTileRows * tile.c_row;
  }
}

// C's columns [j0, j0 + n): a block of A stays in the second-level cache while panels of B pass by.
void multiply_columns(const Step& step, int64_t j0, int64_t n) {
  const GemmBlock& block = step.block;
  const bool last = step.p0 + step.k == block.k;
  const bool few_rows = !step.plan.pack_b && block.m <= kFewRows;
  const int64_t ahead = (step.plan.pack_b ? 1 : 4) * kTileColumns;
  Tile tile = {.k = step.k, .c_row = block.c_row, .c_column = block.c_column};
  tile.finish = {.accumulate = block.accumulate || step.p0 > 0, .relu = last && block.relu};
  for (int64_t i0 = 0; i0 < block.m; i0 += step.plan.block_m) {
    const int64_t m = std::min(step.plan.block_m, block.m - i0);
    const int64_t row_step = place_a(step, i0, m, tile);
    for (int64_t j = 0; j < n; j += tile.columns) {
      const bool wide = few_rows && n - j >= kWideColumns[m];
      tile.columns = wide ? kWideColumns[m] : std::min(kTileColumns, n - j);
      place_b(step, j0, j, i0 == 0, tile);
      tile.c = block.c + i0 * block.c_row + (j0 + j) * block.c_column;
      tile.finish.bias = last && block.bias ? block.bias + j0 + j : nullptr;
      multiply_panel(step, tile, m, row_step, wide, i0 == 0 ? j0 + j + ahead : block.n);
    }
  }
}

void multiply_block(const GemmBlock& block, const GemmPlan& plan, float* buffers) {
  if (plan.method == GemmPlan::Method::dots) return multiply_dots(block, plan, buffers);
  const int64_t packed_a_floats = plan.pack_a ? plan.block_m * plan.block_k : 0;
  for (int64_t j0 = 0; j0 < block.n; j0 += plan.block_n) {
    Step step = {block, plan, 0, 0, buffers, buffers + packed_a_floats};
    do {
      step.k = std::min(plan.block_k, block.k - step.p0);
      multiply_columns(step, j0, std::min(plan.block_n, block.n - j0));
      step.p0 += step.k;
    } while (step.p0 < block.k);
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(tile_shape);
HWY_EXPORT(multiply_block);

TileShape gemm_tile_shape() {
  return HWY_DYNAMIC_DISPATCH(tile_shape)();
}

void gemm_block(const GemmBlock& block, const GemmPlan& plan, float* buffers) {
  HWY_DYNAMIC_DISPATCH(multiply_block)(block, plan, buffers);
}

}  // namespace plimsoll::kernels
#endif
