#include <algorithm>
#include <utility>

#include "plimsoll/kernels/gemm/gemm_block.h"

namespace plimsoll::kernels {
namespace {

// A panel of B and a tile's rows of A share the first-level cache over this many steps of k.
constexpr int64_t kPanelSteps = 384;
// This many packed rows of A stay in the second-level cache while panels of B pass by.
constexpr int64_t kPackedRows = 96;
// Packed columns of B, enough that packing A again for each block of them does not matter.
constexpr int64_t kPackedColumns = 768;
// Rows of B that are read in place at once: more than a few at power-of-two distances evict each
// other, and fewer passes over C are better while B is in cache anyway.
constexpr int64_t kStreamedSteps = 8, kCachedSteps = 64;
constexpr int64_t kCachedFloats = 1 << 19;
// Floats of a packed operand that leave room for the other one in the first-level cache.
constexpr int64_t kFirstLevelFloats = 5 << 10;
// Below this depth the dots' final sums over lanes cost more than they save.
constexpr int64_t kLeastDotSteps = 64;
// Starting and joining a team that waits passively (10 us), in vector operations of one thread.
constexpr double kForkCost = 60e3;

int64_t divide_up(int64_t value, int64_t by) {
  return (value + by - 1) / by;
}

int64_t round_up(int64_t value, int64_t unit) {
  return divide_up(value, unit) * unit;
}

// `size` in equal blocks of at most about `limit`, each a multiple of `unit`.
int64_t even_block(int64_t size, int64_t limit, int64_t unit) {
  size = std::max<int64_t>(size, 1);
  return round_up(divide_up(size, divide_up(size, std::max<int64_t>(limit, 1))), unit);
}

// The product that is computed: the transposed one where the plan swaps.
struct Operands {
  int64_t m = 0, n = 0, k = 0;
  bool a_along_k = false, b_along_k = false;  // steps of k are contiguous
};

// The largest of `parts` parts of `size` that are cut at multiples of `unit`.
int64_t largest_part(int64_t size, int64_t parts, int64_t unit) {
  return std::min(size, round_up(divide_up(size, parts), unit));
}

// Time of the busiest thread, in vector operations: multiplying, packing, adding partial sums.
double cost(const Operands& o, int64_t batch, int64_t threads, const GemmPlan& plan,
            const TileShape& tile) {
  const int64_t pieces = batch * plan.parts_m * plan.parts_n * plan.parts_k;
  const auto m = static_cast<double>(largest_part(o.m, plan.parts_m, tile.rows));
  const auto n = static_cast<double>(largest_part(o.n, plan.parts_n, tile.columns));
  const auto k = static_cast<double>(largest_part(o.k, plan.parts_k, kRangeSteps));
  const auto each = static_cast<double>(divide_up(pieces, threads));
  const auto partial = static_cast<double>((plan.parts_k - 1) * o.m * o.n * batch);
  return each * (m * n * k / 8 + (m + n) * k / 2) + partial + (threads > 1 ? kForkCost : 0.0);
}

void choose_parts(const Operands& o, int64_t batch, int64_t threads, const TileShape& tile,
                  GemmPlan& plan) {
  GemmPlan trial = plan;
  double best = cost(o, batch, 1, plan, tile);
  for (trial.parts_m = 1; trial.parts_m <= threads; ++trial.parts_m)
    for (trial.parts_n = 1; trial.parts_m * trial.parts_n <= threads; ++trial.parts_n)
      for (trial.parts_k = 1; trial.parts_m * trial.parts_n * trial.parts_k <= threads;
           ++trial.parts_k) {
        const double trial_cost = cost(o, batch, threads, trial, tile);
        if (trial_cost >= best) continue;
        best = trial_cost;
        plan = trial;
        plan.threads = std::min(threads, batch * plan.parts_m * plan.parts_n * plan.parts_k);
      }
  plan.partial_floats = (plan.parts_k - 1) * batch * o.m * o.n;
}

// Sizes of the blocks of one piece, whose sizes are `o`.
void block_dots(const Operands& o, GemmPlan& plan) {
  const int64_t resident = std::max<int64_t>(std::min(o.m, o.n), 1);  // rows or columns that stay
  plan.pack_b = !o.b_along_k;
  plan.block_k = even_block(o.k, std::clamp<int64_t>(kFirstLevelFloats / resident, 256, 4096), 16);
  plan.block_m = o.m > o.n ? 12 : o.m;
  plan.block_n = o.n;
  plan.thread_floats = plan.pack_b ? round_up(plan.block_k * plan.block_n, 16) : 0;
}

void block_panels(const Operands& o, const TileShape& tile, GemmPlan& plan) {
  plan.pack_a = o.n > tile.columns;
  plan.pack_b = o.b_along_k || o.m > 2 * tile.rows;
  if (!plan.pack_b) {
    const bool streamed = o.m < tile.rows && o.k * o.n > kCachedFloats;
    plan.block_m = round_up(o.m, tile.rows);
    plan.block_n = round_up(o.n, tile.columns);
    plan.block_k = even_block(o.k, streamed ? kStreamedSteps : kCachedSteps, 1);
  } else {
    // If k is so short that writing C is most of the work, long rows of C are written one tile
    // high.
    const bool shallow = o.k <= 32 && o.m * o.n > kCachedFloats;
    plan.block_m = even_block(o.m, shallow ? tile.rows : kPackedRows, tile.rows);
    plan.block_n =
        even_block(o.n, shallow ? kFirstLevelFloats / std::max<int64_t>(o.k, 1) : kPackedColumns,
                   tile.columns);
    plan.block_k = even_block(o.k, kPanelSteps, 8);
  }
  const int64_t columns = plan.pack_b ? plan.block_n : tile.columns;
  plan.thread_floats = round_up(((plan.pack_a ? plan.block_m : 0) + columns) * plan.block_k, 16);
}

}  // namespace

GemmPlan plan_gemm(const GemmProblem& problem, int64_t threads) {
  const TileShape tile = gemm_tile_shape();
  const bool bias = problem.epilogue == Epilogue::bias || problem.epilogue == Epilogue::bias_relu;
  GemmPlan plan;
  Operands o = {problem.m, problem.n, problem.k, !problem.transpose_a || problem.lda == 1,
                problem.transpose_b || problem.ldb == 1};
  plan.swap = !o.a_along_k && o.n < tile.columns && o.m > o.n && !bias;
  if (plan.swap) {
    std::swap(o.m, o.n);
    std::swap(o.a_along_k, o.b_along_k);
  } else if (o.a_along_k && o.k >= kLeastDotSteps) {
    const bool few_columns = o.n < tile.columns, few_rows = o.m < 2 * tile.rows && o.b_along_k;
    if (few_columns || few_rows) plan.method = GemmPlan::Method::dots;
  }
  choose_parts(o, problem.batch, threads, tile, plan);
  o.m = largest_part(o.m, plan.parts_m, tile.rows);
  o.n = largest_part(o.n, plan.parts_n, tile.columns);
  o.k = largest_part(o.k, plan.parts_k, kRangeSteps);
  if (plan.method == GemmPlan::Method::dots) {
    block_dots(o, plan);
  } else {
    block_panels(o, tile, plan);
  }
  return plan;
}

}  // namespace plimsoll::kernels
