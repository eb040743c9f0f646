// Images moved, turned, stretched: each output pixel is sampled at a projective transform of its
// position, as TensorFlow's ImageProjectiveTransformV3 does.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// How pixels beyond the border of an image abcd are filled in.
enum class FillMode {
  constant,  // a value: kkkk|abcd|kkkk
  reflect,   // dcba|abcd|dcba
  wrap,      // abcd|abcd|abcd
  nearest,   // aaaa|abcd|dddd
};

constexpr std::string_view name_of(FillMode mode) {
  constexpr std::string_view kNames[] = {"constant", "reflect", "wrap", "nearest"};
  return kNames[static_cast<int>(mode)];
}

struct AffineProblem {
  std::array<int64_t, 2> input = {}, output = {};  // rows and columns
  bool bilinear = true;                            // else the nearest pixel
  FillMode fill_mode = FillMode::constant;
  float fill_value = 0;
};

// The pixels that an output pixel is made of; `pixel` is row * columns + column, or -1 for the fill
// value.
struct AffineSample {
  struct Part {
    int64_t pixel = -1;
    float weight = 0;
  };
  int count = 0;
  std::array<Part, 4> parts;
};

// The pixels that output (row, column) is made of under the transform t: with k = t6 * column + t7
// * row + 1, the column (t0 * column + t1 * row + t2) / k and the row (t3 * column + t4 * row + t5)
// / k.
AffineSample affine_sample(const AffineProblem& problem, const float* transform, int64_t row,
                           int64_t column);

// images (N, rows, columns, C), transforms (N or 1, 8) -> sampled images
KernelPtr make_affine_transform(const KernelRequest& request, const AffineProblem& problem);
// dy, transforms -> the gradient of the images
KernelPtr make_affine_transform_gradient(const KernelRequest& request,
                                         const AffineProblem& problem);

}  // namespace plimsoll::kernels
