// Operations that reduce axes, or look at whole rows.
#pragma once

#include "plimsoll/nn/operations/operation_call.h"

namespace plimsoll {

Tensors run_all(OperationCall& call);
Tensors run_any(OperationCall& call);
Tensors run_argmax(OperationCall& call);
Tensors run_argmin(OperationCall& call);
Tensors run_average(OperationCall& call);
Tensors run_count_nonzero(OperationCall& call);
Tensors run_dot(OperationCall& call);
Tensors run_einsum(OperationCall& call);
Tensors run_logsumexp(OperationCall& call);
Tensors run_matmul(OperationCall& call);
Tensors run_max(OperationCall& call);
Tensors run_mean(OperationCall& call);
Tensors run_min(OperationCall& call);
Tensors run_norm(OperationCall& call);
Tensors run_normalize(OperationCall& call);
Tensors run_prod(OperationCall& call);
Tensors run_std(OperationCall& call);
Tensors run_sum(OperationCall& call);
Tensors run_var(OperationCall& call);

}  // namespace plimsoll
