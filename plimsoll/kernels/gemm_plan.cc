#include <algorithm>

#include "plimsoll/kernels/gemm_block.h"

namespace plimsoll::kernels {
namespace {

int64_t round_up(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

GemmPlan plan_gemm(const GemmProblem& problem, int64_t threads) {
  const TileShape tile = gemm_tile_shape();
  GemmPlan plan;
  plan.threads = threads;
  plan.parts_n = problem.n >= threads * tile.columns ? threads : 1;
  plan.block_m = round_up(std::min<int64_t>(problem.m, 144), tile.rows);
  plan.block_n = round_up(std::min<int64_t>(problem.n, 512), tile.columns);
  plan.block_k = round_up(std::clamp<int64_t>(problem.k, 1, 256), 16);
  plan.thread_floats = round_up((plan.block_m + plan.block_n) * plan.block_k, 16);
  return plan;
}

}  // namespace plimsoll::kernels
