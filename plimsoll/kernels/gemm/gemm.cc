#include "plimsoll/kernels/gemm/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/gemm/gemm_block.h"

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
          fmt::format("expected sizes of at least 0, found m={} n={} k={} batch={}", p.m, p.n, p.k,
                      p.batch));
  const auto fill = [](int64_t& leading, int64_t width, const char* name) {
    if (leading == 0) leading = std::max<int64_t>(width, 1);
    require(leading >= width,
            fmt::format("{} is {}, less than the row's width {}", name, leading, width));
  };
  fill(p.lda, p.transpose_a ? p.m : p.k, "lda");
  fill(p.ldb, p.transpose_b ? p.k : p.n, "ldb");
  fill(p.ldc, p.n, "ldc");
  require(p.batch <= 1 || p.m * p.n == 0 || p.stride_c >= (p.m - 1) * p.ldc + p.n,
          fmt::format("stride_c is {}, so that products of a batch overlap", p.stride_c));
  return p;
}

// The first product of the batch, as a block.
GemmBlock whole_product(const GemmProblem& p, const GemmPlan& plan, const float* a, const float* b,
                        float* c, const float* bias) {
  GemmBlock whole = {.m = p.m, .n = p.n, .k = p.k, .a = a, .b = b, .c = c};
  whole.a_row = p.transpose_a ? 1 : p.lda;
  whole.a_k = p.transpose_a ? p.lda : 1;
  whole.b_k = p.transpose_b ? 1 : p.ldb;
  whole.b_column = p.transpose_b ? p.ldb : 1;
  whole.c_row = p.ldc;
  whole.c_column = 1;
  whole.accumulate = p.accumulate;
  if (p.epilogue == Epilogue::bias || p.epilogue == Epilogue::bias_relu) whole.bias = bias;
  whole.relu = p.epilogue == Epilogue::relu || p.epilogue == Epilogue::bias_relu;
  if (plan.swap) {
    std::swap(whole.m, whole.n);
    std::swap(whole.a, whole.b);
    std::swap(whole.a_row, whole.b_column);
    std::swap(whole.a_k, whole.b_k);
    std::swap(whole.c_row, whole.c_column);
  }
  return whole;
}

// Piece by piece: batch, then rows, columns and, fastest, ranges of k. All but the first range
// leave their sums in `partial`, and the epilogue to add_partial_sums().
GemmBlock nth_piece(const GemmProblem& p, const GemmPlan& plan, const GemmBlock& whole,
                    float* partial, int64_t piece) {
  const TileShape tile = gemm_tile_shape();
  const int64_t part_k = piece % plan.parts_k, rectangle = piece / plan.parts_k;
  const int64_t item = rectangle / (plan.parts_m * plan.parts_n);
  const Range rows =
      nth_range(whole.m, tile.rows, rectangle / plan.parts_n % plan.parts_m, plan.parts_m);
  const Range columns = nth_range(whole.n, tile.columns, rectangle % plan.parts_n, plan.parts_n);
  const Range steps = nth_range(whole.k, kRangeSteps, part_k, plan.parts_k);
  GemmBlock block = whole;
  block.m = rows.size(), block.n = columns.size(), block.k = steps.size();
  block.a += item * (plan.swap ? p.stride_b : p.stride_a) + rows.begin * block.a_row +
             steps.begin * block.a_k;
  block.b += item * (plan.swap ? p.stride_a : p.stride_b) + steps.begin * block.b_k +
             columns.begin * block.b_column;
  if (block.bias) block.bias += columns.begin;
  if (plan.parts_k > 1) block.bias = nullptr, block.relu = false;
  if (part_k > 0) {
    block.accumulate = false;
    block.c = partial + (item * (plan.parts_k - 1) + part_k - 1) * whole.m * whole.n;
    block.c_row = whole.n, block.c_column = 1;
  } else {
    block.c += item * p.stride_c;
  }
  block.c += rows.begin * block.c_row + columns.begin * block.c_column;
  return block;
}

// C += the sums of the later ranges of k, in order; then the epilogue.
void add_partial_sums(const GemmProblem& p, const GemmPlan& plan, const GemmBlock& whole,
                      const float* partial) {
  parallel_for(p.batch * whole.m, 1 + 16384 / whole.n, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const int64_t item = row / whole.m, i = row % whole.m;
      float* c = whole.c + item * p.stride_c + i * whole.c_row;
      for (int64_t j = 0; j < whole.n; ++j) {
        float sum = c[j * whole.c_column];
        for (int64_t part = 0; part < plan.parts_k - 1; ++part)
          sum += partial[((item * (plan.parts_k - 1) + part) * whole.m + i) * whole.n + j];
        if (whole.bias) sum += whole.bias[j];
        c[j * whole.c_column] = whole.relu && sum < 0.0f ? 0.0f : sum;
      }
    }
  });
}

}  // namespace

Gemm::Gemm(const GemmProblem& problem, int threads)
    : problem_(checked(problem)), plan_(plan_gemm(problem_, threads)) {}

int64_t Gemm::scratch_bytes() const {
  return static_cast<int64_t>(sizeof(float)) *
         (plan_.threads * plan_.thread_floats + plan_.partial_floats);
}

void Gemm::run(const float* a, const float* b, float* c, const float* bias,
               std::byte* scratch) const {
  if (problem_.m == 0 || problem_.n == 0 || problem_.batch == 0) return;
  float* const buffers = reinterpret_cast<float*>(scratch);
  float* const partial = buffers + plan_.threads * plan_.thread_floats;
  const GemmBlock whole = whole_product(problem_, plan_, a, b, c, bias);
  const int64_t pieces = problem_.batch * plan_.parts_m * plan_.parts_n * plan_.parts_k;
  parallel_for(plan_.threads, 1, [&](int64_t first, int64_t last) {
    for (int64_t thread = first; thread < last; ++thread) {
      const Range own = nth_range(pieces, 1, thread, plan_.threads);
      for (int64_t piece = own.begin; piece < own.end; ++piece)
        gemm_block(nth_piece(problem_, plan_, whole, partial, piece), plan_,
                   buffers + thread * plan_.thread_floats);
    }
  });
  if (plan_.parts_k > 1) add_partial_sums(problem_, plan_, whole, partial);
}

}  // namespace plimsoll::kernels
