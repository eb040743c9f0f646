#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/recurrent/recurrent_gradient.h"

namespace plimsoll::kernels {
namespace {

// Rows of all steps of a chunk: enough that adding to the kernels' gradients does not matter.
constexpr int64_t kChunkRows = 256;

// A row of gate gradients in scratch: not a power of two, whose rows would evict each other.
int64_t padded_row(int64_t columns) {
  return columns % 256 == 0 ? columns + 16 : columns;
}

}  // namespace

RecurrentGradientKernel::RecurrentGradientKernel(const KernelRequest& request,
                                                 const RecurrentForm& form,
                                                 const RecurrentFlow& flow)
    : form_(form),
      flow_(flow),
      sizes_(recurrent_sizes(request)),
      split_(split_recurrent(sizes_, columns(), thread_count())) {
  for (int64_t part = 0; part < split_.parts; ++part) blocks_.push_back(split_.blocks_of(part));
  chunk_ = steps_together(split_.block_rows, kChunkRows, sizes_.steps);
  gate_row_ = padded_row(columns());
  make_links(input_links(form_, sizes_.units), sizes_.features, wants(kKernelGradient), input_);
  make_links(recurrent_links(form_, sizes_.units), sizes_.units, wants(kRecurrentKernelGradient),
             recurrent_);
  lay_out_scratch();
}

// Every number of rows that a chunk has.
std::vector<int64_t> RecurrentGradientKernel::chunk_row_counts() const {
  std::vector<int64_t> counts;
  for (const int64_t rows : split_.block_sizes())
    for (const int64_t steps : {chunk_, sizes_.steps % chunk_})
      if (steps > 0) counts.push_back(rows * steps);
  return counts;
}

// `depth`: rows of the kernel.
void RecurrentGradientKernel::make_links(const std::vector<RecurrentLink>& links, int64_t depth,
                                         bool wants_kernel, std::vector<Link>& out) const {
  const bool of_input = &out == &input_;
  const std::vector<int64_t> chunk_rows = chunk_row_counts();
  const std::vector<int64_t> rows = of_input ? chunk_rows : split_.block_sizes();
  for (const RecurrentLink& link : links) {
    out.push_back(make_link(link,
                            {.m = split_.block_rows * (of_input ? chunk_ : 1),
                             .n = depth,
                             .k = link.width,
                             .transpose_b = true,
                             .lda = gate_row_,
                             .ldb = kernel_columns(),
                             .accumulate = !of_input && link.dropout < 0 && !link.reset},
                            rows));
    if (!wants_kernel) continue;
    for (const int64_t k : chunk_rows) {
      const GemmProblem problem = {.m = depth,
                                   .n = link.width,
                                   .k = k,
                                   .transpose_a = true,
                                   .ldb = gate_row_,
                                   .ldc = kernel_columns(),
                                   .accumulate = true};
      out.back().gradients.push_back({k, Gemm(problem, split_.shared ? thread_count() : 1)});
    }
  }
}

RecurrentGradientKernel::Link RecurrentGradientKernel::make_link(
    const RecurrentLink& link, const GemmProblem& problem, std::span<const int64_t> rows) const {
  return {link, RecurrentProduct(problem, rows, split_.shared ? thread_count() : 1), 0, {}};
}

void RecurrentGradientKernel::lay_out_scratch() {
  ScratchLayout all;
  int64_t gemm_bytes = 0;
  for (std::vector<Link>* links : {&input_, &recurrent_}) {
    const bool wanted = links == &recurrent_ || wants(kInputGradient);
    for (Link& link : *links) {
      link.packed = all.add(wanted ? link.product.packed_floats() : 0);
      gemm_bytes = std::max(gemm_bytes, link.product.scratch_bytes());
      for (const Link::Gradient& gradient : link.gradients)
        gemm_bytes = std::max(gemm_bytes, gradient.gemm.scratch_bytes());
    }
  }
  own_ = all.floats();
  lay_out_part(gemm_bytes);
}

void RecurrentGradientKernel::lay_out_part(int64_t gemm_bytes) {
  ScratchLayout part;
  const int64_t rows = split_.block_rows, all_rows = rows * chunk_;
  const int64_t units = sizes_.units, features = sizes_.features;
  const bool resets = form_.resets_before();
  const auto add = [&](bool wanted, int64_t floats) { return part.add(wanted ? floats : 0); };
  gate_gradients_ = part.add(all_rows * gate_row_);
  x_ = add(wants(kKernelGradient), all_rows * features);
  hidden_before_ = part.add(all_rows * units);
  reset_ = add(resets, all_rows * units);
  dropped_ = add(form_.input_dropouts > 0 || form_.recurrent_dropouts > 0,
                 all_rows * std::max(features, units));
  dx_ = add(wants(kInputGradient), all_rows * features);
  hidden_gradient_ = part.add(rows * units);
  cell_gradient_ = add(form_.is_lstm(), rows * units);
  output_gradient_ = add(form_.mask, rows * units);
  product_ = add(form_.recurrent_dropouts > 0 || resets, rows * units);
  gemm_ = part.add(gemm_bytes / static_cast<int64_t>(sizeof(float)));
  bias_ = add(wants(kBiasGradient), columns());
  part_floats_ = part.floats();

  ScratchLayout sums;
  if (wants(kKernelGradient)) kernel_ = sums.add(features * kernel_columns());
  if (wants(kRecurrentKernelGradient)) recurrent_kernel_ = sums.add(units * kernel_columns());
  part_sums_ = sums.floats();
  sums_ = own_ + split_.parts * part_floats_;
}

int64_t RecurrentGradientKernel::scratch_bytes() const {
  return static_cast<int64_t>(sizeof(float)) * (sums_ + (split_.parts - 1) * part_sums_);
}

}  // namespace plimsoll::kernels
