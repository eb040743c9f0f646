#include "plimsoll/kernels/recurrent/recurrent_product.h"

#include <algorithm>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

// Floats whose packing is worth another thread.
constexpr int64_t kPackGrain = 1 << 17;

// With few rows, weights that are too large for the near caches are used too little to pay for
// their packing.
constexpr int64_t kFewRows = 3;
constexpr int64_t kManyWeights = 1 << 18;

// Dense leading dimensions filled in.
GemmProblem dense(GemmProblem problem) {
  if (problem.lda == 0) problem.lda = problem.k;
  if (problem.ldb == 0) problem.ldb = problem.transpose_b ? problem.k : problem.n;
  if (problem.ldc == 0) problem.ldc = problem.n;
  return problem;
}

}  // namespace

RecurrentProduct::RecurrentProduct(const GemmProblem& problem, std::span<const int64_t> rows,
                                   int threads)
    : problem_(dense(problem)), panels_(panel_shape(problem.m, problem.n, problem.k)) {
  if (threads == 1 && (problem.m > kFewRows || problem.n * problem.k < kManyWeights)) return;
  for (const int64_t count : rows) {
    GemmProblem of_rows = problem_;
    of_rows.m = count;
    gemms_.push_back({count, Gemm(of_rows, threads)});
  }
}

int64_t RecurrentProduct::scratch_bytes() const {
  int64_t bytes = 0;
  for (const InPlace& product : gemms_) bytes = std::max(bytes, product.gemm.scratch_bytes());
  return bytes;
}

void RecurrentProduct::pack(const float* b, float* packed) const {
  if (!gemms_.empty()) return;
  const int64_t b_k = problem_.transpose_b ? 1 : problem_.ldb;
  const int64_t b_column = problem_.transpose_b ? problem_.ldb : 1;
  const int64_t panel_floats = std::max<int64_t>(panels_.width * panels_.k, 1);
  parallel_for(panels_.panels, 1 + kPackGrain / panel_floats, [&](int64_t first, int64_t last) {
    pack_panels(panels_, first, last, b, b_k, b_column, packed);
  });
}

void RecurrentProduct::run(int64_t rows, const float* a, const float* b, const float* packed,
                           float* c, const float* bias, std::byte* scratch) const {
  if (problem_.epilogue == Epilogue::none) bias = nullptr;
  if (gemms_.empty()) {
    multiply_panels(panels_, {.rows = rows,
                              .a = a,
                              .a_row = problem_.lda,
                              .packed = packed,
                              .c = c,
                              .c_row = problem_.ldc,
                              .accumulate = problem_.accumulate,
                              .bias = bias});
    return;
  }
  for (const InPlace& product : gemms_)
    if (product.rows == rows) return product.gemm.run(a, b, c, bias, scratch);
}

}  // namespace plimsoll::kernels
