// The update of one weight by an optimizer, in one pass over weight, gradient and slots.
#pragma once

#include "plimsoll/kernels/kernel.h"
#include "plimsoll/kernels/update/update_form.h"

namespace plimsoll::kernels {

KernelPtr make_update(const KernelRequest& request, const UpdateForm& form);

// Inputs: sum, gradient, a scalar. Outputs: 0 where the scalar is not 0, else the total; the total,
// sum + gradient * scale. Each may be written over its input.
KernelPtr make_accumulate_gradient(const KernelRequest& request, double scale);

// How many times a positive `divisor` goes into each int64 of the input.
KernelPtr make_whole_quotient(const KernelRequest& request, int64_t divisor);

}  // namespace plimsoll::kernels
