// One reduction of the middle of three axes, split into pieces that threads take.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/kernels/reduction/reduction_kind.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll::kernels {

// out[o, i] = reduction over r of in[o, r, i].
struct ReductionPass {
  int64_t outer = 1, reduced = 1, inner = 1;

  bool operator==(const ReductionPass&) const = default;
};

// The passes that reduce `axes` of `shape`, last axes first, each on the result of the one before.
std::vector<ReductionPass> reduction_passes(const Shape& shape, uint32_t axes);

// A rectangle of one matrix (reduced, inner): `rows` rows that are `stride` elements apart.
template <class T>
struct ReductionPiece {
  const T* from = nullptr;
  int64_t rows = 0, columns = 0, stride = 0;
};

// The reduction of a contiguous row. Long rows are summed in chunks, and the sums of chunks are
// added in double, so that the error grows at most with the square root of a chunk.
template <class T>
T reduce_row(Reduction reduction, const T* from, int64_t size);

// The reduction of each column to to[columns].
template <class T>
void reduce_columns(Reduction reduction, const ReductionPiece<T>& piece, T* to);

}  // namespace plimsoll::kernels
