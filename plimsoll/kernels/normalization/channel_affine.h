// Affine functions of tensors whose coefficients belong to channels, in either layout.
#pragma once

#include "plimsoll/kernels/normalization/channel_pieces.h"

namespace plimsoll::kernels {

// y = (a - center) * scale + shift, or its positive part. Pointers to coefficients have one float
// per channel; y may be a.
struct ChannelAffine {
  const float *center = nullptr, *scale = nullptr, *shift = nullptr;
  bool relu = false;
};
void apply_affine(const ChannelPieces& pieces, const ChannelAffine& coefficients, const float* a,
                  float* y);

// y = (a - a_center) * a_scale + (b - b_center) * b_scale; y may be a or b.
struct ChannelCombination {
  const float *a_center = nullptr, *a_scale = nullptr, *b_center = nullptr, *b_scale = nullptr;
};
void apply_combination(const ChannelPieces& pieces, const ChannelCombination& coefficients,
                       const float* a, const float* b, float* y);

}  // namespace plimsoll::kernels
