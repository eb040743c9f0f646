// How windows lie along one spatial axis of a convolution or a pooling.
#pragma once

#include <algorithm>
#include <cstdint>

namespace plimsoll::kernels {

struct WindowAxis {
  int64_t input = 0, output = 0;  // positions
  int64_t size = 1;               // taps of a window
  int64_t stride = 1;             // from a window to the next
  int64_t dilation = 1;           // from a tap to the next
  int64_t before = 0, after = 0;  // padding, in positions
  bool operator==(const WindowAxis&) const = default;

  // The input position of a window's first tap; negative inside the padding.
  int64_t start(int64_t window) const { return window * stride - before; }
  // Taps [first_tap, end_tap) of a window lie inside the input (dilation 1).
  int64_t first_tap(int64_t window) const { return std::max<int64_t>(0, -start(window)); }
  int64_t end_tap(int64_t window) const { return std::min(size, input - start(window)); }
  // No position belongs to two windows.
  bool disjoint() const { return stride >= size; }
};

}  // namespace plimsoll::kernels
