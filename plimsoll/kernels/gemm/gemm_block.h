// The part of a GEMM that one thread computes, and the SIMD code that computes it.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/gemm/gemm.h"

namespace plimsoll::kernels {

// C (+)= A * B over one rectangle of C and one range of k, then bias and activation. Element (i, p)
// of A is a[i * a_row + p * a_k], B and C likewise; of each pair of strides at least one is 1.
struct GemmBlock {
  int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  int64_t a_row = 0, a_k = 0;
  const float* b = nullptr;
  int64_t b_k = 0, b_column = 0;
  float* c = nullptr;
  int64_t c_row = 0, c_column = 0;
  bool accumulate = false;
  const float* bias = nullptr;  // n floats, or none
  bool relu = false;
};

// Rows and columns of C that the processor's registers hold at once.
struct TileShape {
  int64_t rows = 0, columns = 0;
};
TileShape gemm_tile_shape();

// Ranges of k that different threads add up begin at multiples of this.
inline constexpr int64_t kRangeSteps = 16;

// `buffers`: plan.thread_floats of this thread's own, 64-byte aligned.
void gemm_block(const GemmBlock& block, const GemmPlan& plan, float* buffers);

// Chooses a plan for a problem whose leading dimensions are filled in.
GemmPlan plan_gemm(const GemmProblem& problem, int64_t threads);

}  // namespace plimsoll::kernels
