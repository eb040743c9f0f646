// Every step-th element of a box, and the inverse.
#pragma once

#include <span>

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// The output's element i is the input's element begin + i * step, on each axis.
KernelPtr make_strided_slice(const KernelRequest& request, std::span<const int64_t> begin,
                             std::span<const int64_t> step);

// The input's element i goes to begin + i * step of the output, which is 0 elsewhere.
KernelPtr make_strided_scatter(const KernelRequest& request, std::span<const int64_t> begin,
                               std::span<const int64_t> step);

}  // namespace plimsoll::kernels
