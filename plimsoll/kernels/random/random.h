// Random tensors and dropout. The bits are those of random_words.h; inputs named `state` are int64
// scalars: seed, step and, if there is a third, the position of the first sample.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Inputs: state.
KernelPtr make_random_uniform(double low, double high, uint64_t stream,
                              const KernelRequest& request);
KernelPtr make_random_normal(double mean, double stddev, uint64_t stream,
                             const KernelRequest& request);
// Inputs: x, then state.
KernelPtr make_dropout(double rate, uint64_t stream, const KernelRequest& request);

// An element is dropped where its word is below this.
uint32_t dropout_threshold(double rate);

}  // namespace plimsoll::kernels
