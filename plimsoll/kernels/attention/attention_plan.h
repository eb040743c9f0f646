// What the forward and the backward kernel of attention share: sizes, blocks of queries, and the
// offsets of the parts of one head.
#pragma once

#include <vector>

#include "plimsoll/kernels/attention/attention_form.h"
#include "plimsoll/kernels/attention/attention_scores.h"
#include "plimsoll/kernels/gemm/gemm_problem.h"
#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

struct AttentionSizes {
  int64_t batch, queries, keys, heads, depth, width;

  explicit AttentionSizes(std::span<const Spec> inputs);
  bool is_empty() const { return batch * queries * keys * heads * depth * width == 0; }
  // Floats from one query's or key's row of a head to the next.
  int64_t depth_row() const { return heads * depth; }
  int64_t width_row() const { return heads * width; }
};

// Queries that are computed together, and how many keys the last of them may see.
struct QueryBlock {
  int64_t first, rows, keys;
};

class AttentionPlan {
 public:
  AttentionPlan(const KernelRequest& request, const AttentionForm& form);

  const AttentionSizes& sizes() const { return sizes_; }
  const std::vector<QueryBlock>& blocks() const { return blocks_; }
  bool drops() const { return form_.dropout > 0; }
  // Floats from a row of scores to the next, and of the largest block.
  int64_t score_stride() const { return score_stride_; }
  int64_t score_floats() const { return score_stride_ * blocks_[0].rows; }

  // The products with k and v that both directions have.
  GemmProblem scores(const QueryBlock& block) const;

  // Describes the scores of a block of head `head` of sample `sample`, with their mask.
  ScoreBlock score_block(const KernelArguments& arguments, int64_t sample, int64_t head,
                         const QueryBlock& block) const;
  ScoreDropout dropout(const KernelArguments& arguments) const;
  // The element of the block's first pair in a sample of (heads, queries, keys).
  int64_t first_element(int64_t head, const QueryBlock& block) const {
    return (head * sizes_.queries + block.first) * sizes_.keys;
  }
  // The offset of head `head` of sample `sample` in q (and dq), k (dk), v (dv), y (dy).
  int64_t query_offset(int64_t sample, int64_t head) const {
    return sample * sizes_.queries * sizes_.depth_row() + head * sizes_.depth;
  }
  int64_t key_offset(int64_t sample, int64_t head) const {
    return sample * sizes_.keys * sizes_.depth_row() + head * sizes_.depth;
  }
  int64_t value_offset(int64_t sample, int64_t head) const {
    return sample * sizes_.keys * sizes_.width_row() + head * sizes_.width;
  }
  int64_t output_offset(int64_t sample, int64_t head) const {
    return sample * sizes_.queries * sizes_.width_row() + head * sizes_.width;
  }

  // How many threads `items` pieces of work of `operations` multiplications each are worth.
  static int64_t threads_for(int64_t items, double operations);

 private:
  AttentionSizes sizes_;
  AttentionForm form_;
  std::vector<QueryBlock> blocks_;
  int64_t score_stride_;
  bool has_first_sample_ = false;
  int64_t mask_sample_ = 0, mask_head_ = 0, mask_row_ = 0;  // strides in bytes
  bool mask_keys_ = false;
};

}  // namespace plimsoll::kernels
