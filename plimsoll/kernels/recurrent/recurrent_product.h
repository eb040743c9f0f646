// A product with weights that are packed once and then multiplied at every step of a sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plimsoll/kernels/gemm/gemm.h"

namespace plimsoll::kernels {

// How weights are packed: in blocks of at most `block_k` steps of k, each in panels of `width`
// columns, zeros past the last.
struct PanelShape {
  int64_t n = 0, k = 0;
  int64_t width = 0, panels = 0;
  int64_t block_k = 0;

  int64_t floats() const { return panels * width * k; }
};

// C[rows, n] (+)= A[rows, k] * op(B) (+ bias) as `problem` says, whose m is the most rows of a run.
// The only epilogue that is supported is the bias. If several threads work together, or if packing
// would cost more than it saves, the weights are read in place.
class RecurrentProduct {
 public:
  // For runs of these numbers of rows and no others.
  RecurrentProduct(const GemmProblem& problem, std::span<const int64_t> rows, int threads);

  // The size of the packed weights; 0 if they are read in place.
  int64_t packed_floats() const { return gemms_.empty() ? panels_.floats() : 0; }
  // The scratch that a run needs, 64-byte aligned.
  int64_t scratch_bytes() const;

  // Packs with all threads. `packed` is 64-byte aligned.
  void pack(const float* b, float* packed) const;
  // `b` are the weights, `packed` what pack() made of them.
  void run(int64_t rows, const float* a, const float* b, const float* packed, float* c,
           const float* bias, std::byte* scratch) const;

 private:
  GemmProblem problem_;
  PanelShape panels_;
  struct InPlace {
    int64_t rows;
    Gemm gemm;
  };
  std::vector<InPlace> gemms_;  // none where weights are packed
};

// The SIMD code that runs it.
PanelShape panel_shape(int64_t rows, int64_t n, int64_t k);
// Panels [first, last) of all blocks of k. Element (p, j) of B is b[p * b_k + j * b_column]; one of
// these strides is 1.
void pack_panels(const PanelShape& shape, int64_t first, int64_t last, const float* b, int64_t b_k,
                 int64_t b_column, float* packed);

struct PanelRun {
  int64_t rows = 0;
  const float* a = nullptr;
  int64_t a_row = 0;
  const float* packed = nullptr;
  float* c = nullptr;
  int64_t c_row = 0;
  bool accumulate = false;
  const float* bias = nullptr;
};
void multiply_panels(const PanelShape& shape, const PanelRun& run);

}  // namespace plimsoll::kernels
