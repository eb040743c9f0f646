// The SIMD code that computes one thread's part of a GEMM, and how a problem is divided for it.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/gemm/gemm_problem.h"

namespace plimsoll::kernels {

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
