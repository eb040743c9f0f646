#include "plimsoll/kernels/attention/attention_plan.h"

#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/random/random.h"

namespace plimsoll::kernels {
namespace {

// A block's scores, twice in the gradient, stay in the second-level cache; yet it has so many rows
// that packing the keys for each block does not matter.
constexpr int64_t kBlockFloats = 32 * 1024;
constexpr int64_t kLeastRows = 48, kMostRows = 192;

// Without a mask, an early block need not look at late keys. With a mask, a query may be left with
// no key, and then weights all of them.
std::vector<QueryBlock> blocks_of(const AttentionSizes& sizes, const AttentionForm& form) {
  const int64_t most =
      std::clamp(kBlockFloats / std::max<int64_t>(1, sizes.keys), kLeastRows, kMostRows);
  const int64_t count = std::max<int64_t>(1, (sizes.queries + most - 1) / most);
  const int64_t rows = (sizes.queries + count - 1) / count;
  std::vector<QueryBlock> blocks;
  for (int64_t first = 0; first < sizes.queries; first += rows) {
    const int64_t own = std::min(rows, sizes.queries - first);
    const bool shorter = form.causal && !form.masked;
    blocks.push_back({first, own, shorter ? std::min(sizes.keys, first + own) : sizes.keys});
  }
  if (blocks.empty()) blocks.push_back({0, 0, 0});
  return blocks;
}

}  // namespace

AttentionSizes::AttentionSizes(std::span<const Spec> inputs)
    : batch(inputs[0].shape[0]),
      queries(inputs[0].shape[1]),
      keys(inputs[1].shape[1]),
      heads(inputs[0].shape[2]),
      depth(inputs[0].shape[3]),
      width(inputs[2].shape[3]) {}

AttentionPlan::AttentionPlan(const KernelRequest& request, const AttentionForm& form)
    : sizes_(request.inputs),
      form_(form),
      blocks_(blocks_of(sizes_, form)),
      // Rows at power-of-two distances would evict each other.
      score_stride_((sizes_.keys + 15) / 16 * 16 + 16) {
  const auto state = static_cast<size_t>(form.state_input());
  if (form.dropout > 0)
    has_first_sample_ =
        request.inputs.size() > state + 2 && request.inputs[state + 2].shape.rank() == 0;
  if (!form.masked) return;
  const Shape& mask = request.inputs[3].shape;
  const auto stride = [&](int axis) { return mask[axis] == 1 ? 0 : mask.elements(axis + 1, 4); };
  mask_sample_ = stride(0), mask_head_ = stride(1), mask_row_ = stride(2);
  mask_keys_ = mask[3] != 1 || sizes_.keys == 1;
}

GemmProblem AttentionPlan::scores(const QueryBlock& block) const {
  return {.m = block.rows,
          .n = block.keys,
          .k = sizes_.depth,
          .transpose_b = true,
          .lda = sizes_.depth_row(),
          .ldb = sizes_.depth_row(),
          .ldc = score_stride_};
}

ScoreBlock AttentionPlan::score_block(const KernelArguments& arguments, int64_t sample,
                                      int64_t head, const QueryBlock& block) const {
  ScoreBlock found{.rows = block.rows,
                   .keys = block.keys,
                   .stride = score_stride_,
                   .first_query = block.first,
                   .scale = static_cast<float>(form_.scale),
                   .causal = form_.causal};
  if (!form_.masked) return found;
  found.mask = arguments.input<uint8_t>(3) + sample * mask_sample_ + head * mask_head_ +
               block.first * mask_row_;
  found.mask_row = mask_row_;
  found.mask_keys = mask_keys_;
  return found;
}

ScoreDropout AttentionPlan::dropout(const KernelArguments& arguments) const {
  if (!drops()) return {};
  const auto number = [&](int i) { return *arguments.input<int64_t>(form_.state_input() + i); };
  return {Draw::of(number(0), number(1), has_first_sample_ ? number(2) : 0, form_.stream),
          dropout_threshold(form_.dropout), static_cast<float>(1 / (1 - form_.dropout)),
          sizes_.keys};
}

int64_t AttentionPlan::threads_for(int64_t items, double operations) {
  constexpr double kWorth = 2e5;  // multiplications of one thread
  const auto worth = static_cast<int64_t>(static_cast<double>(items) * operations / kWorth);
  return std::clamp<int64_t>(std::min(worth, items), 1, thread_count());
}

}  // namespace plimsoll::kernels
