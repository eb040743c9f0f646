// Kernels that move elements of any type.
#pragma once

#include <span>
#include <utility>

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

KernelPtr make_transpose(const KernelRequest& request, std::span<const int> permutation);
KernelPtr make_broadcast_to(const KernelRequest& request);
// These three also take tensors with channels in blocks, all in one layout, if whole blocks are
// moved.
KernelPtr make_concatenate(const KernelRequest& request, int axis);
KernelPtr make_slice(const KernelRequest& request, std::span<const int64_t> begin);
KernelPtr make_pad(const KernelRequest& request,
                   std::span<const std::pair<int64_t, int64_t>> paddings, double value);
KernelPtr make_one_hot(const KernelRequest& request);

}  // namespace plimsoll::kernels
