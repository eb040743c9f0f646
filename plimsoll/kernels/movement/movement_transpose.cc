#include "plimsoll/kernels/movement/movement_transpose.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/movement/movement_transpose.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
constexpr int64_t kSide = 1;

void transpose_square(const uint32_t* from, int64_t, uint32_t* to, int64_t) {
  *to = *from;
}
#else
constexpr int64_t kSide = 4;

HWY_INLINE void transpose_square(const uint32_t* from, int64_t from_step, uint32_t* to,
                                 int64_t to_step) {
  const hn::FixedTag<uint32_t, 4> d;
  const hn::FixedTag<uint64_t, 2> pairs;
  const auto r0 = hn::LoadU(d, from), r1 = hn::LoadU(d, from + from_step);
  const auto r2 = hn::LoadU(d, from + 2 * from_step), r3 = hn::LoadU(d, from + 3 * from_step);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + to_step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * to_step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * to_step);
}
#endif

// Goes through a tile in the cache, so that lines of either side are read and written whole: where
// steps are powers of two, lines of different rows would push each other out.
void transpose_block(const TransposedBlock& block) {
  constexpr int64_t kTile = 16;
  const auto [from, from_step, to, to_step, rows, columns] = block;
  HWY_ALIGN uint32_t tile[kTile * kTile];
  const int64_t whole_rows = rows / kTile * kTile, whole_columns = columns / kTile * kTile;
  for (int64_t i = 0; i < whole_rows; i += kTile)
    for (int64_t j = 0; j < whole_columns; j += kTile) {
      for (int64_t q = 0; q < kTile; q += kSide)
        for (int64_t p = 0; p < kTile; p += kSide)
          transpose_square(from + (j + q) * from_step + i + p, from_step, tile + p * kTile + q,
                           kTile);
      for (int64_t p = 0; p < kTile; ++p)
        std::memcpy(to + (i + p) * to_step + j, tile + p * kTile, kTile * sizeof(uint32_t));
    }
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = i < whole_rows ? whole_columns : 0; j < columns; ++j)
      to[i * to_step + j] = from[j * from_step + i];
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(transpose_block);

void transpose_words(const TransposedBlock& block) {
  HWY_DYNAMIC_DISPATCH(transpose_block)(block);
}

}  // namespace plimsoll::kernels
#endif
