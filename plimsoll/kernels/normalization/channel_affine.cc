#include "plimsoll/kernels/normalization/channel_affine.h"

#include "plimsoll/base/threads.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/normalization/channel_affine.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/gemm/lane_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// Calls body(tag, element, lane) for every vector of a piece, in the order of memory where that is
// not the order of the lanes anyway.
template <class Body>
HWY_INLINE void for_each_vector_of(int64_t rows, int64_t lanes, const Body& body) {
  for (int64_t row = 0; row < rows; ++row)
    for_each_vector(lanes,
                    [&](auto d, int64_t lane) HWY_ATTR { body(d, row * lanes + lane, lane); });
}

// A NaN stays one.
template <bool kRelu, class V>
HWY_INLINE V finished(V y) {
  if constexpr (kRelu) return hn::IfThenZeroElse(hn::Lt(y, hn::Zero(hn::DFromV<V>())), y);
  return y;
}

template <bool kRelu>
HWY_INLINE void affine_rows(const ChannelAffine& c, const float* a, float* y, int64_t rows,
                            int64_t lanes) {
  if (lanes == 8 && hn::Lanes(Lanes8()) == 8) {
    const Lanes8 d;
    const auto center = hn::LoadU(d, c.center), scale = hn::LoadU(d, c.scale);
    const auto shift = hn::LoadU(d, c.shift);
    for (int64_t i = 0; i < rows * 8; i += 8)
      hn::StoreU(finished<kRelu>(hn::MulAdd(hn::Sub(hn::LoadU(d, a + i), center), scale, shift)), d,
                 y + i);
    return;
  }
  for_each_vector_of(rows, lanes, [&](auto d, int64_t i, int64_t lane) HWY_ATTR {
    const auto difference = hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, c.center + lane));
    hn::StoreU(finished<kRelu>(hn::MulAdd(difference, hn::LoadU(d, c.scale + lane),
                                          hn::LoadU(d, c.shift + lane))),
               d, y + i);
  });
}

void affine_piece(const ChannelAffine& c, const float* a, float* y, int64_t rows, int64_t lanes) {
  c.relu ? affine_rows<true>(c, a, y, rows, lanes) : affine_rows<false>(c, a, y, rows, lanes);
}

void combination_piece(const ChannelCombination& c, const float* a, const float* b, float* y,
                       int64_t rows, int64_t lanes) {
  for_each_vector_of(rows, lanes, [&](auto d, int64_t i, int64_t lane) HWY_ATTR {
    const auto da = hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, c.a_center + lane));
    const auto db = hn::Sub(hn::LoadU(d, b + i), hn::LoadU(d, c.b_center + lane));
    const auto first = hn::Mul(da, hn::LoadU(d, c.a_scale + lane));
    hn::StoreU(hn::MulAdd(db, hn::LoadU(d, c.b_scale + lane), first), d, y + i);
  });
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainFloats = 1 << 14;

template <class Body>
void for_each_piece(const ChannelPieces& pieces, const Body& body) {
  const int64_t floats = ChannelPieces::kMostRows * std::max<int64_t>(pieces.lanes(), 1);
  parallel_for(pieces.count, kGrainFloats / floats + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) body(pieces[i]);
  });
}

}  // namespace

HWY_EXPORT(affine_piece);
HWY_EXPORT(combination_piece);

void apply_affine(const ChannelPieces& pieces, const ChannelAffine& c, const float* a, float* y) {
  for_each_piece(pieces, [&](const ChannelPiece& piece) {
    const int64_t channel = piece.first_channel;
    HWY_DYNAMIC_DISPATCH(affine_piece)
    ({c.center + channel, c.scale + channel, c.shift + channel, c.relu}, a + piece.offset,
     y + piece.offset, piece.rows, pieces.lanes());
  });
}

void apply_combination(const ChannelPieces& pieces, const ChannelCombination& c, const float* a,
                       const float* b, float* y) {
  for_each_piece(pieces, [&](const ChannelPiece& piece) {
    const int64_t channel = piece.first_channel;
    HWY_DYNAMIC_DISPATCH(combination_piece)
    ({c.a_center + channel, c.a_scale + channel, c.b_center + channel, c.b_scale + channel},
     a + piece.offset, b + piece.offset, y + piece.offset, piece.rows, pieces.lanes());
  });
}

}  // namespace plimsoll::kernels
#endif
