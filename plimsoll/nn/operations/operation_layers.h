// Operations that do the work of a layer: normalisation, attention, running sums, space and depth.
#pragma once

#include "plimsoll/nn/operations/operation_call.h"

namespace plimsoll {

Tensors run_cumsum(OperationCall& call);
Tensors run_depth_to_space(OperationCall& call);
Tensors run_dot_product_attention(OperationCall& call);
Tensors run_layer_norm(OperationCall& call);
Tensors run_moments(OperationCall& call);
Tensors run_resize(OperationCall& call);
Tensors run_rms_norm(OperationCall& call);
Tensors run_space_to_depth(OperationCall& call);

}  // namespace plimsoll
