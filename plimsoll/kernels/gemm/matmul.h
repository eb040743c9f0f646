// Products of the last two axes of tensors, over Gemm.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

struct MatmulForm {
  bool transpose_a = false, transpose_b = false;
  bool bias = false;  // input 2, one value per column
  bool relu = false;
};

KernelPtr make_matmul(const KernelRequest& request, const MatmulForm& form);

}  // namespace plimsoll::kernels
