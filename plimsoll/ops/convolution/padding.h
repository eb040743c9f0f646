// How convolutions and poolings place their windows: Keras's padding as positions on an axis.
#pragma once

#include "plimsoll/kernels/window_axis.h"
#include "plimsoll/ops/convolution/convolution_options.h"

namespace plimsoll {

// Throws InvalidArgument unless size, stride and dilation are positive and, without padding, a
// window fits; `axis` names it: "height".
kernels::WindowAxis window_axis(const char* axis, int64_t input, int64_t size, int64_t stride,
                                int64_t dilation, Padding padding);

}  // namespace plimsoll
