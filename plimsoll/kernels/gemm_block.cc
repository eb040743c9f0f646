#include "plimsoll/kernels/gemm_block.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/gemm_block.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/gemm_pack-inl.h"
#include "plimsoll/kernels/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

TileShape tile_shape() {
  return {kTileRows, kTileColumns};
}

// A packed panel of B stays in the first-level cache while the tiles below it are multiplied; a
// packed block of A stays in the second while all panels pass by.
void multiply_block(const GemmBlock& block, const GemmPlan& plan, float* buffers) {
  float* const packed_a = buffers;
  float* const packed_b = buffers + plan.block_m * plan.block_k;
  for (int64_t j0 = 0; j0 < block.n; j0 += plan.block_n) {
    const int64_t n = std::min(plan.block_n, block.n - j0);
    int64_t p0 = 0;
    do {
      const int64_t k = std::min(plan.block_k, block.k - p0);
      const bool last = p0 + k == block.k;
      for (int64_t i0 = 0; i0 < block.m; i0 += plan.block_m) {
        const int64_t m = std::min(plan.block_m, block.m - i0);
        const float* a = block.a + i0 * block.a_row + p0 * block.a_k;
        pack_a_block(a, block.a_row, block.a_k, m, k, packed_a);
        const int64_t a_row = block.a_k == 1 ? k : 1;
        const int64_t a_k = block.a_k == 1 ? 1 : kTileRows;
        for (int64_t j = 0; j < n; j += kTileColumns) {
          const int64_t columns = std::min(kTileColumns, n - j);
          float* panel = packed_b + j * k;
          if (i0 == 0)
            pack_b_panel(block.b + p0 * block.b_k + (j0 + j) * block.b_column, block.b_k,
                         block.b_column, k, columns, panel);
          const Finish finish = {.accumulate = block.accumulate || p0 > 0,
                                 .bias = last && block.bias ? block.bias + j0 + j : nullptr,
                                 .relu = last && block.relu};
          for (int64_t i = 0; i < m; i += kTileRows) {
            const int64_t rows = std::min(kTileRows, m - i);
            kMultiplyTile[rows](k, packed_a + i * k, a_row, a_k, panel, kTileColumns, columns,
                                finish, block.c + (i0 + i) * block.ldc + j0 + j, block.ldc);
          }
        }
      }
      p0 += k;
    } while (p0 < block.k);
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
