// Operations that move elements, and those that make new ones of a shape.
#pragma once

#include "plimsoll/nn/operations/operation_call.h"

namespace plimsoll {

Tensors run_broadcast_to(OperationCall& call);
Tensors run_concatenate(OperationCall& call);
Tensors run_expand_dims(OperationCall& call);
Tensors run_flip(OperationCall& call);
Tensors run_full_like(OperationCall& call);
Tensors run_moveaxis(OperationCall& call);
Tensors run_one_hot(OperationCall& call);
Tensors run_ones_like(OperationCall& call);
Tensors run_pad(OperationCall& call);
Tensors run_ravel(OperationCall& call);
Tensors run_repeat(OperationCall& call);
Tensors run_reshape(OperationCall& call);
Tensors run_roll(OperationCall& call);
Tensors run_squeeze(OperationCall& call);
Tensors run_stack(OperationCall& call);
Tensors run_swapaxes(OperationCall& call);
Tensors run_tile(OperationCall& call);
Tensors run_transpose(OperationCall& call);
Tensors run_zeros_like(OperationCall& call);

}  // namespace plimsoll
