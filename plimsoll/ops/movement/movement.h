// Ops that move elements and compute nothing.
#pragma once

#include <utility>
#include <vector>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// A view. At most one dimension may be -1; it is computed from the others.
Tensor reshape(const Operand& x, const Shape& shape);
Tensor expand_dims(const Operand& x, int axis);
Tensor squeeze(const Operand& x, int axis);
// Output axis i is input axis permutation[i]; an empty permutation reverses the axes.
Tensor transpose(const Operand& x, std::vector<int> permutation = {});
Tensor broadcast_to(const Operand& x, const Shape& shape);
// Reduces a gradient of the broadcast shape back to `shape`: broadcast_to's gradient.
Tensor sum_to(const Operand& x, const Shape& shape);
Tensor concatenate(const Tensors& parts, int axis = -1, Place where = Place::here());
// The half-open box [begin, begin + size), a size of -1 meaning up to the end. If x has a value, so
// has the result at once: it shares the bytes, or has a copy of a few. So a loop over x[0], x[1], …
// compiles its step once.
Tensor slice(const Operand& x, std::vector<int64_t> begin, std::vector<int64_t> size);
// `paddings`: how many elements to add before and after, one pair per axis.
Tensor pad(const Operand& x, std::vector<std::pair<int64_t, int64_t>> paddings, double value = 0);
// Rows of x (axis 0) by int32 or int64 indices: shape indices.shape + x.shape[1:]. If an index is
// outside, the step throws an error that names the index and the bound.
Tensor gather(const Operand& x, const Operand& indices);
// Adds rows into zeros of `rows` rows: gather's gradient. Rows are added in index order.
Tensor scatter_add(const Operand& updates, const Operand& indices, int64_t rows);
// An index outside [0, depth) gives a row of zeros, as Keras.
Tensor one_hot(const Operand& indices, int64_t depth);

}  // namespace plimsoll
