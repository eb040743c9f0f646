// Recurrent layers over whole sequences, over products with weights that are packed once.
#pragma once

#include "plimsoll/kernels/kernel.h"
#include "plimsoll/kernels/recurrent/recurrent_form.h"

namespace plimsoll::kernels {

KernelPtr make_recurrent(const KernelRequest& request, const RecurrentForm& form);

// `form` is that of the sequence, except that its `unused` refers to the gradient's outputs.
KernelPtr make_recurrent_gradient(const KernelRequest& request, const RecurrentForm& form,
                                  const RecurrentFlow& flow);

}  // namespace plimsoll::kernels
