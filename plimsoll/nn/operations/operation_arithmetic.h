// Operations that compute element by element, by the dtypes that Keras's rules give.
#pragma once

#include "plimsoll/nn/operations/operation_call.h"

namespace plimsoll {

Tensors run_absolute(OperationCall& call);
Tensors run_add(OperationCall& call);
Tensors run_cast(OperationCall& call);
Tensors run_clip(OperationCall& call);
Tensors run_divide(OperationCall& call);
Tensors run_divide_no_nan(OperationCall& call);  // x / 0 is 0
Tensors run_equal(OperationCall& call);
Tensors run_floor_divide(OperationCall& call);
Tensors run_greater(OperationCall& call);
Tensors run_greater_equal(OperationCall& call);
Tensors run_less(OperationCall& call);
Tensors run_less_equal(OperationCall& call);
Tensors run_log10(OperationCall& call);
Tensors run_log2(OperationCall& call);
Tensors run_logaddexp(OperationCall& call);
Tensors run_logical_and(OperationCall& call);
Tensors run_logical_not(OperationCall& call);
Tensors run_logical_or(OperationCall& call);
Tensors run_logical_xor(OperationCall& call);
Tensors run_maximum(OperationCall& call);
Tensors run_minimum(OperationCall& call);
Tensors run_mod(OperationCall& call);
Tensors run_multiply(OperationCall& call);
Tensors run_negative(OperationCall& call);
Tensors run_not_equal(OperationCall& call);
Tensors run_outer(OperationCall& call);
Tensors run_power(OperationCall& call);
Tensors run_round(OperationCall& call);
Tensors run_sign(OperationCall& call);
Tensors run_square(OperationCall& call);
Tensors run_stop_gradient(OperationCall& call);
Tensors run_subtract(OperationCall& call);
Tensors run_where(OperationCall& call);

}  // namespace plimsoll
