// Elementwise programs in plain float64, for tests.
#pragma once

#include "plimsoll/graph/reference.h"
#include "plimsoll/kernels/elementwise/elementwise_program.h"

namespace plimsoll {

double evaluate_function(kernels::Function function, const double operands[3],
                         const float constants[2]);

// `out`: the specs of the outputs, all of one shape, to which the inputs broadcast.
Arrays evaluate_program(const kernels::ElementwiseProgram& program, std::span<const Array> in,
                        const Specs& out);

// The row-major index in `input` of the element that element `index` of `output` is broadcast from.
int64_t broadcast_index(int64_t index, const Shape& output, const Shape& input);

}  // namespace plimsoll
