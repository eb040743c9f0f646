#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/recurrent/recurrent_gradient.h"

namespace plimsoll::kernels {

void RecurrentGradientKernel::write_input_gradient(const Work& work, const StepRows& rows) const {
  const int64_t features = sizes_.features, factors_row = form_.input_dropouts * features;
  float* const dx = work.own + dx_;
  for (const Link& link : input_) {
    const bool dropped = link.dropout >= 0;
    float* const product = dropped ? work.own + dropped_ : dx;
    multiply(work, link, work.tensors.kernel, rows.count(), work.own + gate_gradients_, product);
    if (!dropped) continue;
    multiply_rows(rows, features, product, work.tensors.input_dropout + link.dropout * features,
                  factors_row, product);
    if (&link == &input_.front())
      std::copy_n(product, rows.count() * features, dx);
    else
      add_to(product, rows.count() * features, dx);
  }
  float* const to = work.tensors.gradients[kInputGradient];
  for_each_row(rows, [&](int64_t sample, int64_t step, int64_t row) {
    const int64_t at = sample * sizes_.steps + time_of(form_, sizes_, step);
    std::copy_n(dx + row * features, features, to + at * features);
  });
}

void RecurrentGradientKernel::add_kernel_gradients(const Work& work, const StepRows& rows) const {
  const int64_t features = sizes_.features, units = sizes_.units;
  const Tensors& tensors = work.tensors;
  if (work.kernel) {
    gather_steps(form_, sizes_, rows, tensors.x, work.own + x_);
    for (const Link& link : input_) {
      const float* a = work.own + x_;
      if (link.dropout >= 0)
        a = dropped_rows(work, rows, a, features, tensors.input_dropout + link.dropout * features,
                         form_.input_dropouts * features);
      add_kernel_gradient(work, link, rows.count(), a, work.kernel);
    }
  }
  if (work.recurrent_kernel) {
    for (const Link& link : recurrent_) {
      const float* a = work.own + (link.reset ? reset_ : hidden_before_);
      if (link.dropout >= 0)
        a = dropped_rows(work, rows, a, units, tensors.recurrent_dropout + link.dropout * units,
                         state_factors_row());
      add_kernel_gradient(work, link, rows.count(), a, work.recurrent_kernel);
    }
  }
  if (work.bias) add_bias_gradient(work, rows.count());
}

const float* RecurrentGradientKernel::dropped_rows(const Work& work, const StepRows& rows,
                                                   const float* from, int64_t width,
                                                   const float* factors,
                                                   int64_t factors_row) const {
  multiply_rows(rows, width, from, factors, factors_row, work.own + dropped_);
  return work.own + dropped_;
}

// sum += a^T * gate gradients
void RecurrentGradientKernel::add_kernel_gradient(const Work& work, const Link& link, int64_t rows,
                                                  const float* a, float* sum) const {
  for (const Link::Gradient& gradient : link.gradients)
    if (gradient.rows == rows)
      return gradient.gemm.run(a, work.own + gate_gradients_ + link.gate_column, sum + link.column,
                               nullptr, gemm_scratch(work));
}

// Four rows at a time: fewer passes, and shorter chains of sums.
void RecurrentGradientKernel::add_bias_gradient(const Work& work, int64_t rows) const {
  const float* g = work.own + gate_gradients_;
  const int64_t row = gate_row_;
  int64_t i = 0;
  for (; i + 4 <= rows; i += 4, g += 4 * row)
    for (int64_t j = 0; j < columns(); ++j)
      work.bias[j] += (g[j] + g[row + j]) + (g[2 * row + j] + g[3 * row + j]);
  for (; i < rows; ++i, g += row) add_to(g, columns(), work.bias);
}

// The sums of all parts, in order.
void RecurrentGradientKernel::add_parts(const Tensors& tensors, float* scratch) const {
  const auto add = [&](int output, int64_t offset, int64_t count) {
    float* const to = tensors.gradients[output];
    if (to == nullptr || split_.parts == 1) return;
    parallel_for(count, 1 << 16, [&](int64_t first, int64_t last) {
      for (int64_t part = 1; part < split_.parts; ++part)
        add_to(scratch + sums_ + (part - 1) * part_sums_ + offset + first, last - first,
               to + first);
    });
  };
  add(kKernelGradient, kernel_, sizes_.features * kernel_columns());
  add(kRecurrentKernelGradient, recurrent_kernel_, sizes_.units * kernel_columns());
  if (tensors.gradients[kBiasGradient] == nullptr) return;
  float* const sums = scratch + own_ + bias_;
  for (int64_t part = 1; part < split_.parts; ++part)
    add_to(sums + part * part_floats_, columns(), sums);
  write_bias_gradient(sums, tensors.gradients[kBiasGradient]);
}

// A GRU has two biases, that of x and that of h, where the reset gate comes after the product.
void RecurrentGradientKernel::write_bias_gradient(const float* sums, float* gradient) const {
  const int64_t units = sizes_.units;
  std::copy_n(sums, kernel_columns(), gradient);
  if (!form_.is_gru() || !form_.reset_after) return;
  std::copy_n(sums, 2 * units, gradient + 3 * units);
  std::copy_n(sums + 3 * units, units, gradient + 5 * units);
}

}  // namespace plimsoll::kernels
