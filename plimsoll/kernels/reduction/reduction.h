// Reductions over axes, as passes over tensors of three axes: (outer, reduced, inner).
#pragma once

#include <cstdint>

#include "plimsoll/kernels/kernel.h"
#include "plimsoll/kernels/reduction/reduction_kind.h"

namespace plimsoll::kernels {

// Bit i of `axes`: axis i of the input is reduced. Sums of float32 are multiplied by `scale` (1 / n
// for a mean). float32 for all; int32 and int64, exactly, for all but prod. Channels may lie in
// blocks if all axes between batch and channels are reduced, and the channels are not.
KernelPtr make_reduction(const KernelRequest& request, Reduction reduction, uint32_t axes,
                         double scale = 1);

// The first index of the maximum along `axis`, int32; a NaN is the maximum.
KernelPtr make_argmax(const KernelRequest& request, int axis);

}  // namespace plimsoll::kernels
