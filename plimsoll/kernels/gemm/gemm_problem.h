// A matrix product as plain data: the problem, the plan to compute it, and one thread's part of it.
#pragma once

#include <cstdint>

namespace plimsoll::kernels {

enum class Epilogue { none, bias, bias_relu, relu };

// C[m,n] = op(A) * op(B) (+ C if accumulate) (+ bias[n], then activation). Row-major with leading
// dimensions; op(A) is m x k. `transpose_a`: A is stored k x m. `transpose_b`: B is stored n x k.
struct GemmProblem {
  int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false, transpose_b = false;
  int64_t lda = 0, ldb = 0, ldc = 0;  // 0: dense
  // Distance in floats from one product of the batch to the next; 0 broadcasts A or B.
  int64_t batch = 1, stride_a = 0, stride_b = 0, stride_c = 0;
  bool accumulate = false;
  Epilogue epilogue = Epilogue::none;
};

// How a problem is computed. C is a grid of parts_m x parts_n rectangles and k a row of parts_k
// ranges, whose sums are added in order; each of `threads` takes an equal number of these pieces.
struct GemmPlan {
  // panels: tiles of C in registers, lanes along n. dots: lanes along k, for a C that has too few
  // rows or columns to fill them; wants k contiguous in A.
  enum class Method { panels, dots };

  Method method = Method::panels;
  bool swap = false;  // computes the transpose of C from the transposes of B and A
  int64_t threads = 1;
  int64_t parts_m = 1, parts_n = 1, parts_k = 1;
  int64_t block_m = 0, block_n = 0, block_k = 0;  // the most of a piece that is packed at a time
  bool pack_a = false, pack_b = false;            // else the operand is read where it is
  int64_t thread_floats = 0;                      // packing buffers of one thread
  int64_t partial_floats = 0;                     // sums of all ranges of k but the first
};

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

}  // namespace plimsoll::kernels
