// Single-precision matrix multiplication, planned once for a problem and run many times.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plimsoll/base/threads.h"

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

// A product planned for one problem and the thread_count() at construction, or fewer threads: one
// that runs inside a thread of its own is planned for 1. Throws InvalidArgument for negative sizes
// and for leading dimensions or strides of C that would make rows overlap.
class Gemm {
 public:
  explicit Gemm(const GemmProblem& problem, int threads = thread_count());

  // Bytes of 64-byte aligned scratch that run() wants; its contents need not be set or kept.
  int64_t scratch_bytes() const;

  // Allocates nothing; may run on several threads at once with distinct scratch and C. Operands
  // need only the alignment of float. The order of summation depends on the problem and the plan
  // alone, so bits repeat. C is read only to accumulate; `bias` only for an epilogue that has one.
  void run(const float* a, const float* b, float* c, const float* bias, std::byte* scratch) const;

  const GemmPlan& plan() const { return plan_; }

 private:
  GemmProblem problem_;  // its leading dimensions filled in
  GemmPlan plan_;
};

}  // namespace plimsoll::kernels
