#include "plimsoll/kernels/gemm.h"

#include <algorithm>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/gemm_block.h"

namespace plimsoll::kernels {
namespace {

struct Range {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

// The `part`-th of `parts` nearly equal ranges of [0, size), cut at multiples of `unit`.
Range nth_range(int64_t size, int64_t unit, int64_t part, int64_t parts) {
  const int64_t units = (size + unit - 1) / unit;
  return {std::min(size, units * part / parts * unit),
          std::min(size, units * (part + 1) / parts * unit)};
}

void require(bool holds, const std::string& message) {
  if (!holds) throw InvalidArgument("gemm: " + message);
}

GemmProblem checked(GemmProblem p) {
  require(p.m >= 0 && p.n >= 0 && p.k >= 0 && p.batch >= 0,
          "expected sizes of at least 0, found m=" + std::to_string(p.m) +
              " n=" + std::to_string(p.n) + " k=" + std::to_string(p.k) +
              " batch=" + std::to_string(p.batch));
  const auto fill = [](int64_t& leading, int64_t width, const char* name) {
    if (leading == 0) leading = std::max<int64_t>(width, 1);
    require(leading >= width, std::string(name) + " is " + std::to_string(leading) +
                                  ", less than the row's width " + std::to_string(width));
  };
  fill(p.lda, p.transpose_a ? p.m : p.k, "lda");
  fill(p.ldb, p.transpose_b ? p.k : p.n, "ldb");
  fill(p.ldc, p.n, "ldc");
  require(p.batch <= 1 || p.m * p.n == 0 || p.stride_c >= (p.m - 1) * p.ldc + p.n,
          "stride_c is " + std::to_string(p.stride_c) + ", so that products of a batch overlap");
  return p;
}

}  // namespace

Gemm::Gemm(const GemmProblem& problem)
    : problem_(checked(problem)), plan_(plan_gemm(problem_, thread_count())) {}

int64_t Gemm::scratch_bytes() const {
  return static_cast<int64_t>(sizeof(float)) *
         (plan_.threads * plan_.thread_floats + plan_.partial_floats);
}

void Gemm::run(const float* a, const float* b, float* c, const float* bias,
               std::byte* scratch) const {
  const GemmProblem& p = problem_;
  if (p.m == 0 || p.n == 0) return;
  const TileShape tile = gemm_tile_shape();
  const bool has_bias = p.epilogue == Epilogue::bias || p.epilogue == Epilogue::bias_relu;
  const bool has_relu = p.epilogue == Epilogue::relu || p.epilogue == Epilogue::bias_relu;
  const int64_t a_row = p.transpose_a ? 1 : p.lda, a_k = p.transpose_a ? p.lda : 1;
  const int64_t b_k = p.transpose_b ? 1 : p.ldb, b_column = p.transpose_b ? p.ldb : 1;
  const int64_t pieces = p.batch * plan_.parts_m * plan_.parts_n;
  const auto run_piece = [&](int64_t piece, float* buffers) {
    const int64_t item = piece / (plan_.parts_m * plan_.parts_n);
    const Range rows =
        nth_range(p.m, tile.rows, piece / plan_.parts_n % plan_.parts_m, plan_.parts_m);
    const Range columns = nth_range(p.n, tile.columns, piece % plan_.parts_n, plan_.parts_n);
    const GemmBlock block = {.m = rows.size(),
                             .n = columns.size(),
                             .k = p.k,
                             .a = a + item * p.stride_a + rows.begin * a_row,
                             .a_row = a_row,
                             .a_k = a_k,
                             .b = b + item * p.stride_b + columns.begin * b_column,
                             .b_k = b_k,
                             .b_column = b_column,
                             .c = c + item * p.stride_c + rows.begin * p.ldc + columns.begin,
                             .ldc = p.ldc,
                             .accumulate = p.accumulate,
                             .bias = has_bias ? bias + columns.begin : nullptr,
                             .relu = has_relu};
    gemm_block(block, plan_, buffers);
  };
  parallel_for(plan_.threads, 1, [&](int64_t first, int64_t last) {
    for (int64_t thread = first; thread < last; ++thread) {
      float* buffers = reinterpret_cast<float*>(scratch) + thread * plan_.thread_floats;
      const Range own = nth_range(pieces, 1, thread, plan_.threads);
      for (int64_t piece = own.begin; piece < own.end; ++piece) run_piece(piece, buffers);
    }
  });
}

}  // namespace plimsoll::kernels
