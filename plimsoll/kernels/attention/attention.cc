#include "plimsoll/kernels/attention/attention.h"

#include <algorithm>

#include "plimsoll/kernels/attention/attention_plan.h"
#include "plimsoll/kernels/gemm/gemm.h"

namespace plimsoll::kernels {
namespace {

// Pieces of work are pairs of a head and a block of queries.
class Attention final : public Kernel {
 public:
  Attention(const KernelRequest& request, const AttentionForm& form) : plan_(request, form) {
    const AttentionSizes& sizes = plan_.sizes();
    if (sizes.is_empty()) return;
    for (const QueryBlock& block : plan_.blocks()) {
      scores_.emplace_back(plan_.scores(block), 1);
      outputs_.emplace_back(GemmProblem{.m = block.rows,
                                        .n = sizes.width,
                                        .k = block.keys,
                                        .lda = plan_.score_stride(),
                                        .ldb = sizes.width_row(),
                                        .ldc = sizes.width_row()},
                            1);
      gemm_bytes_ =
          std::max({gemm_bytes_, scores_.back().scratch_bytes(), outputs_.back().scratch_bytes()});
    }
    items_ = sizes.batch * sizes.heads * static_cast<int64_t>(plan_.blocks().size());
    const QueryBlock& block = plan_.blocks()[0];
    threads_ = AttentionPlan::threads_for(
        items_, static_cast<double>(block.rows * sizes.keys * (sizes.depth + sizes.width)));
  }

  int64_t scratch_bytes() const override { return threads_ * thread_bytes(); }

  void run(const KernelArguments& arguments) const override {
    if (plan_.sizes().is_empty()) {
      const AttentionSizes& sizes = plan_.sizes();
      std::fill_n(arguments.output(0), sizes.batch * sizes.queries * sizes.width_row(), 0.0f);
      return;
    }
    const ScoreDropout dropout = plan_.dropout(arguments);
    parallel_for(threads_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t thread = begin; thread < end; ++thread)
        for (int64_t item = items_ * thread / threads_; item < items_ * (thread + 1) / threads_;
             ++item)
          run_item(arguments, dropout, item, arguments.scratch + thread * thread_bytes());
    });
  }

 private:
  int64_t score_bytes() const { return plan_.score_floats() * static_cast<int64_t>(sizeof(float)); }
  int64_t thread_bytes() const {
    return plan_.sizes().is_empty() ? 0 : (score_bytes() + gemm_bytes_ + 63) / 64 * 64;
  }

  void run_item(const KernelArguments& arguments, const ScoreDropout& dropout, int64_t item,
                std::byte* scratch) const {
    const auto blocks = static_cast<int64_t>(plan_.blocks().size());
    const auto b = static_cast<size_t>(item % blocks);
    const int64_t head = item / blocks % plan_.sizes().heads;
    const int64_t sample = item / blocks / plan_.sizes().heads;
    const QueryBlock& block = plan_.blocks()[b];
    auto* scores = reinterpret_cast<float*>(scratch);
    std::byte* const rest = scratch + score_bytes();
    scores_[b].run(arguments.input(0) + plan_.query_offset(sample, head) +
                       block.first * plan_.sizes().depth_row(),
                   arguments.input(1) + plan_.key_offset(sample, head), scores, nullptr, rest);
    const ScoreBlock rows = plan_.score_block(arguments, sample, head, block);
    softmax_scores(rows, scores);
    if (plan_.drops())
      dropout.run(rows, static_cast<uint32_t>(sample), plan_.first_element(head, block), scores,
                  scores);
    outputs_[b].run(scores, arguments.input(2) + plan_.value_offset(sample, head),
                    arguments.output(0) + plan_.output_offset(sample, head) +
                        block.first * plan_.sizes().width_row(),
                    nullptr, rest);
  }

  AttentionPlan plan_;
  std::vector<Gemm> scores_, outputs_;  // one per block
  int64_t gemm_bytes_ = 0, items_ = 0, threads_ = 1;
};

}  // namespace

KernelPtr make_attention(const KernelRequest& request, const AttentionForm& form) {
  return std::make_unique<Attention>(request, form);
}

}  // namespace plimsoll::kernels
