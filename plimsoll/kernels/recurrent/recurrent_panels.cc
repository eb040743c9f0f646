#include <algorithm>

#include "plimsoll/kernels/recurrent/recurrent_product.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/recurrent/recurrent_panels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/gemm/gemm_pack-inl.h"
#include "plimsoll/kernels/gemm/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {
namespace {

// A panel and a tile's rows of A share the first-level cache over this many steps of k.
constexpr int64_t kPanelSteps = 384;
// This many rows of A stay in the second-level cache while panels pass by.
constexpr int64_t kRowsAtOnce = 96;

// Few rows want wide panels: only more columns hide the latency of FMA.
constexpr MultiplyTile kTileOf4Vectors[] = {nullptr, multiply_tile<1, 4>, multiply_tile<2, 4>,
                                            multiply_tile<3, 4>};
constexpr MultiplyTile kTileOf8Vectors[] = {nullptr, multiply_tile<1, 8>};

PanelShape shape_for(int64_t rows, int64_t n, int64_t k) {
  const int64_t vectors = (n + kLanes - 1) / kLanes;
  PanelShape shape = {.n = n, .k = k, .width = 2 * kLanes};
  if (rows <= 3 && vectors > 2) shape.width = 4 * kLanes;
  if (rows == 1 && vectors > 4) shape.width = 8 * kLanes;
  shape.panels = (n + shape.width - 1) / shape.width;
  const int64_t blocks = rows <= 3 ? 1 : std::max<int64_t>(1, (k + kPanelSteps - 1) / kPanelSteps);
  shape.block_k = std::max<int64_t>(1, (k + blocks - 1) / blocks);
  return shape;
}

void pack_panel(const float* b, int64_t b_k, int64_t b_column, int64_t k, int64_t columns,
                int64_t width, float* to) {
  if (columns < width) std::fill_n(to, k * width, 0.0f);
  if (b_column != 1) return transpose(b, b_column, columns, k, width, to);
  for (int64_t p = 0; p < k; ++p) std::copy_n(b + p * b_k, columns, to + p * width);
}

void pack(const PanelShape& shape, int64_t first, int64_t last, const float* b, int64_t b_k,
          int64_t b_column, float* packed) {
  for (int64_t p0 = 0; p0 < shape.k; p0 += shape.block_k) {
    const int64_t k = std::min(shape.block_k, shape.k - p0);
    for (int64_t panel = first; panel < last; ++panel) {
      const int64_t j = panel * shape.width;
      pack_panel(b + p0 * b_k + j * b_column, b_k, b_column, k, std::min(shape.width, shape.n - j),
                 shape.width, packed + p0 * shape.panels * shape.width + panel * k * shape.width);
    }
  }
}

// One block of k, and rows of A that stay in cache.
void multiply_block(const PanelShape& shape, const PanelRun& run, int64_t rows, Tile tile) {
  const MultiplyTile* const multiply = shape.width == 2 * kLanes   ? kMultiplyTile
                                       : shape.width == 4 * kLanes ? kTileOf4Vectors
                                                                   : kTileOf8Vectors;
  const int64_t tile_rows = shape.width == 2 * kLanes ? kTileRows : rows;
  const float* const a = tile.a;
  float* const c = tile.c;
  const float* const bias = tile.finish.bias;
  for (int64_t j = 0; j < shape.n; j += shape.width, tile.b += tile.k * shape.width) {
    tile.columns = std::min(shape.width, shape.n - j);
    if (bias) tile.finish.bias = bias + j;
    for (int64_t i = 0; i < rows; i += tile_rows) {
      tile.a = a + i * run.a_row;
      tile.c = c + i * run.c_row + j;
      multiply[std::min(tile_rows, rows - i)](tile);
    }
  }
}

void multiply(const PanelShape& shape, const PanelRun& run) {
  for (int64_t i = 0; i < run.rows; i += kRowsAtOnce) {
    int64_t p0 = 0;
    do {
      Tile tile = {.k = std::min(shape.block_k, shape.k - p0),
                   .a = run.a + i * run.a_row + p0,
                   .a_row = run.a_row,
                   .a_k = 1,
                   .b = run.packed + p0 * shape.panels * shape.width,
                   .b_k = shape.width,
                   .c = run.c + i * run.c_row,
                   .c_row = run.c_row,
                   .c_column = 1};
      tile.finish.accumulate = run.accumulate || p0 > 0;
      if (p0 == 0) tile.finish.bias = run.bias;
      multiply_block(shape, run, std::min(kRowsAtOnce, run.rows - i), tile);
      p0 += shape.block_k;
    } while (p0 < shape.k);
  }
}

}  // namespace
}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(shape_for);
HWY_EXPORT(pack);
HWY_EXPORT(multiply);

PanelShape panel_shape(int64_t rows, int64_t n, int64_t k) {
  return HWY_DYNAMIC_DISPATCH(shape_for)(rows, n, k);
}

void pack_panels(const PanelShape& shape, int64_t first, int64_t last, const float* b, int64_t b_k,
                 int64_t b_column, float* packed) {
  HWY_DYNAMIC_DISPATCH(pack)(shape, first, last, b, b_k, b_column, packed);
}

void multiply_panels(const PanelShape& shape, const PanelRun& run) {
  HWY_DYNAMIC_DISPATCH(multiply)(shape, run);
}

}  // namespace plimsoll::kernels
#endif
