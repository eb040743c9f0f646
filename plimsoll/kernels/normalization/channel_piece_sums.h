// The SIMD code of channel sums: the sums of one piece, added to `sums`, which has one double per
// lane.
#pragma once

#include <cstdint>

namespace plimsoll::kernels {

void add_piece(const float* a, int64_t rows, int64_t lanes, double* sums);
void add_piece_squared_differences(const float* a, const float* center, int64_t rows, int64_t lanes,
                                   double* sums);
void add_piece_products(const float* a, const float* b, const float* center, int64_t rows,
                        int64_t lanes, double* sums, double* products);

}  // namespace plimsoll::kernels
