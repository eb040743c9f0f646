#include <algorithm>
#include <limits>
#include <utility>

#include "plimsoll/kernels/gemm_block.h"

namespace plimsoll::kernels {
namespace {

int64_t divide_up(int64_t value, int64_t by) {
  return (value + by - 1) / by;
}

int64_t round_up(int64_t value, int64_t unit) {
  return divide_up(value, unit) * unit;
}

// `size` in equal blocks of at most `limit`, each a multiple of `unit`.
int64_t even_block(int64_t size, int64_t limit, int64_t unit) {
  const int64_t blocks = divide_up(std::max<int64_t>(size, 1), limit);
  return round_up(divide_up(std::max<int64_t>(size, 1), blocks), unit);
}

// Starting and joining the team, in floating-point vector operations of one thread.
constexpr double kForkCost = 20e3;

struct Sizes {
  int64_t m, n, k;  // of the transposed product where the plan swaps
};

// Time of the busiest thread, in vector operations.
double cost(const Sizes& size, int64_t batch, int64_t threads, const GemmPlan& plan,
            const TileShape& tile) {
  const int64_t pieces = batch * plan.parts_m * plan.parts_n * plan.parts_k;
  const auto each = static_cast<double>(divide_up(pieces, threads));
  const auto m =
      static_cast<double>(std::min(size.m, round_up(divide_up(size.m, plan.parts_m), tile.rows)));
  const auto n = static_cast<double>(
      std::min(size.n, round_up(divide_up(size.n, plan.parts_n), tile.columns)));
  const auto k = static_cast<double>(divide_up(size.k, plan.parts_k));
  const double reduction = static_cast<double>((plan.parts_k - 1) * size.m * size.n * batch);
  const double fork = pieces > 1 && threads > 1 ? kForkCost : 0.0;
  return each * (m * n * k / 8 + (m + n) * k / 2) + reduction + fork;
}

void choose_parts(const Sizes& size, int64_t batch, int64_t threads, const TileShape& tile,
                  GemmPlan& plan) {
  GemmPlan trial = plan;
  double best = std::numeric_limits<double>::infinity();
  for (trial.parts_m = 1; trial.parts_m <= threads; ++trial.parts_m)
    for (trial.parts_n = 1; trial.parts_m * trial.parts_n <= threads; ++trial.parts_n)
      for (trial.parts_k = 1; trial.parts_m * trial.parts_n * trial.parts_k <= threads;
           ++trial.parts_k) {
        const double trial_cost = cost(size, batch, threads, trial, tile);
        if (trial_cost >= best) continue;
        best = trial_cost;
        plan = trial;
      }
  plan.threads = std::min(threads, batch * plan.parts_m * plan.parts_n * plan.parts_k);
  plan.partial_floats = (plan.parts_k - 1) * batch * size.m * size.n;
}

}  // namespace

GemmPlan plan_gemm(const GemmProblem& problem, int64_t threads) {
  const TileShape tile = gemm_tile_shape();
  GemmPlan plan;
  const bool bias = problem.epilogue == Epilogue::bias || problem.epilogue == Epilogue::bias_relu;
  Sizes size = {problem.m, problem.n, problem.k};
  bool k_contiguous_b = problem.transpose_b || problem.ldb == 1;
  bool k_contiguous_a = !problem.transpose_a || problem.lda == 1;
  plan.swap = problem.transpose_a && problem.n < tile.columns && problem.m > problem.n && !bias;
  if (plan.swap) {
    std::swap(size.m, size.n);
    std::swap(k_contiguous_a, k_contiguous_b);
  }
  const bool narrow = size.n < tile.columns, flat = size.m < 2 * tile.rows && k_contiguous_b;
  if (!plan.swap && k_contiguous_a && size.k >= 64 && (narrow || flat))
    plan.method = GemmPlan::Method::dots;
  choose_parts(size, problem.batch, threads, tile, plan);
  const int64_t m = divide_up(size.m, plan.parts_m), n = divide_up(size.n, plan.parts_n);
  const int64_t k = divide_up(size.k, plan.parts_k);
  if (plan.method == GemmPlan::Method::dots) {
    plan.pack_b = !k_contiguous_b;
    plan.block_k = even_block(
        k, std::clamp<int64_t>(5120 / std::max<int64_t>(1, std::min(m, n)), 256, 4096), 16);
    plan.block_m = m >= n ? 12 : std::max<int64_t>(m, 1);
    if (plan.pack_b) plan.thread_floats = round_up(plan.block_k * size.n, 16);
    return plan;
  }
  plan.pack_b = k_contiguous_b || m > 2 * tile.rows;
  plan.pack_a = n > 4 * tile.columns;
  plan.block_k = even_block(k, plan.pack_b ? 256 : 32, plan.pack_b ? 8 : 1);
  plan.block_m = even_block(m, plan.pack_a ? 144 : m + 1, tile.rows);
  plan.block_n = even_block(n, plan.pack_b ? 512 : n + 1, tile.columns);
  plan.thread_floats =
      round_up(((plan.pack_a ? plan.block_m : 0) + (plan.pack_b ? plan.block_n : tile.columns)) *
                   plan.block_k,
               16);
  return plan;
}

}  // namespace plimsoll::kernels
