// Single-precision matrix multiplication, planned once for a problem and run many times.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/gemm/gemm_problem.h"

namespace plimsoll::kernels {

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
