// The transposition of a small matrix of 4-byte elements.
#pragma once

#include <cstdint>

namespace plimsoll::kernels {

// to[i * to_step + j] = from[j * from_step + i] for i < rows, j < columns.
struct TransposedBlock {
  const uint32_t* from;
  int64_t from_step;
  uint32_t* to;
  int64_t to_step;
  int64_t rows, columns;
};

void transpose_words(const TransposedBlock& block);

}  // namespace plimsoll::kernels
