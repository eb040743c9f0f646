// Operations that pick parts of a tensor.
#pragma once

#include "plimsoll/nn/operations/operation_call.h"

namespace plimsoll {

Tensors run_get_item(OperationCall& call);  // x[:, 0, 1:-1, ..., None]
Tensors run_slice(OperationCall& call);
Tensors run_split(OperationCall& call);
Tensors run_take(OperationCall& call);
Tensors run_unstack(OperationCall& call);

}  // namespace plimsoll
