// Recurrent sequences in plain float64, sample by sample.
#pragma once

#include <span>

#include "plimsoll/graph/reference.h"
#include "plimsoll/kernels/recurrent/recurrent_form.h"

namespace plimsoll {

// `outputs` have the specs that the op infers; those that are not used are empty.
Arrays recurrent_reference(const kernels::RecurrentForm& form, std::span<const Array> in,
                           Arrays outputs);
Arrays recurrent_gradient_reference(const kernels::RecurrentForm& form,
                                    const kernels::RecurrentFlow& flow, std::span<const Array> in,
                                    Arrays outputs);

}  // namespace plimsoll
