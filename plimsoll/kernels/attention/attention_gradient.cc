#include <algorithm>

#include "plimsoll/kernels/attention/attention.h"
#include "plimsoll/kernels/attention/attention_plan.h"
#include "plimsoll/kernels/gemm/gemm.h"

namespace plimsoll::kernels {
namespace {

// The products of one block of queries.
struct BlockProducts {
  Gemm scores;         // q * kᵀ
  Gemm value_sums;     // dv += pᵀ * dy
  Gemm probabilities;  // dp = dy * vᵀ
  Gemm queries;        // dq = ds * k
  Gemm key_sums;       // dk += dsᵀ * q

  int64_t scratch_bytes() const {
    return std::max({scores.scratch_bytes(), value_sums.scratch_bytes(),
                     probabilities.scratch_bytes(), queries.scratch_bytes(),
                     key_sums.scratch_bytes()});
  }
};

// `adds`: to what later blocks left in dk and dv.
BlockProducts products_of(const AttentionPlan& plan, const QueryBlock& block, bool adds) {
  const AttentionSizes& s = plan.sizes();
  const int64_t stride = plan.score_stride(), depth = s.depth_row(), width = s.width_row();
  const auto sums = [&](int64_t n, int64_t row) {
    return GemmProblem{.m = block.keys,
                       .n = n,
                       .k = block.rows,
                       .transpose_a = true,
                       .lda = stride,
                       .ldb = row,
                       .ldc = row,
                       .accumulate = adds};
  };
  return {Gemm(plan.scores(block), 1), Gemm(sums(s.width, width), 1),
          Gemm({.m = block.rows,
                .n = block.keys,
                .k = s.width,
                .transpose_b = true,
                .lda = width,
                .ldb = width,
                .ldc = stride},
               1),
          Gemm({.m = block.rows,
                .n = s.depth,
                .k = block.keys,
                .lda = stride,
                .ldb = depth,
                .ldc = depth},
               1),
          Gemm(sums(s.depth, depth), 1)};
}

// A thread takes whole heads, because all queries of a head add to the gradients of its keys.
class AttentionGradient final : public Kernel {
 public:
  AttentionGradient(const KernelRequest& request, const AttentionForm& form)
      : plan_(request, form), dy_(static_cast<int>(request.inputs.size()) - 1) {
    const AttentionSizes& sizes = plan_.sizes();
    if (sizes.is_empty()) return;
    // The last block sees the most keys, so it comes first and sets the sums that the others add
    // to.
    for (const QueryBlock& block : plan_.blocks())
      products_.push_back(products_of(plan_, block, &block != &plan_.blocks().back()));
    for (const BlockProducts& products : products_)
      gemm_bytes_ = std::max(gemm_bytes_, products.scratch_bytes());
    heads_ = sizes.batch * sizes.heads;
    threads_ = AttentionPlan::threads_for(
        heads_, static_cast<double>(sizes.queries * sizes.keys * 3 * (sizes.depth + sizes.width)));
  }

  int64_t scratch_bytes() const override { return threads_ * thread_bytes(); }

  void run(const KernelArguments& arguments) const override {
    const AttentionSizes& s = plan_.sizes();
    if (s.is_empty()) {
      std::fill_n(arguments.output(0), s.batch * s.queries * s.depth_row(), 0.0f);
      std::fill_n(arguments.output(1), s.batch * s.keys * s.depth_row(), 0.0f);
      std::fill_n(arguments.output(2), s.batch * s.keys * s.width_row(), 0.0f);
      return;
    }
    const ScoreDropout dropout = plan_.dropout(arguments);
    parallel_for(threads_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t thread = begin; thread < end; ++thread)
        for (int64_t head = heads_ * thread / threads_; head < heads_ * (thread + 1) / threads_;
             ++head)
          run_head(arguments, dropout, head / s.heads, head % s.heads,
                   arguments.scratch + thread * thread_bytes());
    });
  }

 private:
  int64_t score_bytes() const { return plan_.score_floats() * static_cast<int64_t>(sizeof(float)); }
  int64_t thread_bytes() const {
    return plan_.sizes().is_empty() ? 0 : (2 * score_bytes() + gemm_bytes_ + 63) / 64 * 64;
  }

  void run_head(const KernelArguments& arguments, const ScoreDropout& dropout, int64_t sample,
                int64_t head, std::byte* scratch) const {
    clear_unseen(arguments, sample, head);
    for (size_t b = plan_.blocks().size(); b-- > 0;)
      run_block(arguments, dropout, sample, head, b, scratch);
  }

  // No query sees the keys after the last query.
  void clear_unseen(const KernelArguments& arguments, int64_t sample, int64_t head) const {
    const AttentionSizes& s = plan_.sizes();
    for (int64_t key = plan_.blocks().back().keys; key < s.keys; ++key) {
      std::fill_n(arguments.output(1) + plan_.key_offset(sample, head) + key * s.depth_row(),
                  s.depth, 0.0f);
      std::fill_n(arguments.output(2) + plan_.value_offset(sample, head) + key * s.width_row(),
                  s.width, 0.0f);
    }
  }

  void run_block(const KernelArguments& arguments, const ScoreDropout& dropout, int64_t sample,
                 int64_t head, size_t b, std::byte* scratch) const {
    const AttentionSizes& s = plan_.sizes();
    const QueryBlock& block = plan_.blocks()[b];
    const BlockProducts& products = products_[b];
    const int64_t from_query = plan_.query_offset(sample, head) + block.first * s.depth_row();
    const float* q = arguments.input(0) + from_query;
    const float* k = arguments.input(1) + plan_.key_offset(sample, head);
    const float* v = arguments.input(2) + plan_.value_offset(sample, head);
    const float* dy =
        arguments.input(dy_) + plan_.output_offset(sample, head) + block.first * s.width_row();
    auto* p = reinterpret_cast<float*>(scratch);
    auto* g = reinterpret_cast<float*>(scratch + score_bytes());
    std::byte* const rest = scratch + 2 * score_bytes();
    const ScoreBlock rows = plan_.score_block(arguments, sample, head, block);
    const int64_t element = plan_.first_element(head, block);
    const auto drop = [&](const float* from) {
      dropout.run(rows, static_cast<uint32_t>(sample), element, from, g);
    };

    products.scores.run(q, k, p, nullptr, rest);
    softmax_scores(rows, p);
    if (plan_.drops()) drop(p);
    products.value_sums.run(plan_.drops() ? g : p, dy,
                            arguments.output(2) + plan_.value_offset(sample, head), nullptr, rest);
    products.probabilities.run(dy, v, g, nullptr, rest);
    if (plan_.drops()) drop(g);
    softmax_scores_gradient(rows, p, g);
    products.queries.run(g, k, arguments.output(0) + from_query, nullptr, rest);
    products.key_sums.run(g, q, arguments.output(1) + plan_.key_offset(sample, head), nullptr,
                          rest);
  }

  AttentionPlan plan_;
  int dy_;
  std::vector<BlockProducts> products_;
  int64_t gemm_bytes_ = 0, heads_ = 0, threads_ = 1;
};

}  // namespace

KernelPtr make_attention_gradient(const KernelRequest& request, const AttentionForm& form) {
  return std::make_unique<AttentionGradient>(request, form);
}

}  // namespace plimsoll::kernels
