// Activation functions as operations: those with settings.
#pragma once

#include "plimsoll/nn/operations/operation_call.h"

namespace plimsoll {

Tensors run_celu(OperationCall& call);
Tensors run_elu(OperationCall& call);
Tensors run_gelu(OperationCall& call);
Tensors run_glu(OperationCall& call);
Tensors run_hard_shrink(OperationCall& call);
Tensors run_leaky_relu(OperationCall& call);
Tensors run_log_softmax(OperationCall& call);
Tensors run_relu(OperationCall& call);
Tensors run_soft_shrink(OperationCall& call);
Tensors run_softmax(OperationCall& call);
Tensors run_sparsemax(OperationCall& call);
Tensors run_squareplus(OperationCall& call);
Tensors run_threshold(OperationCall& call);

}  // namespace plimsoll
