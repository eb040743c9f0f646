#include "plimsoll/kernels/convolution/convolution_direct.h"

#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution/convolution_direct_plan.h"
#include "plimsoll/kernels/convolution/convolution_rows.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainProducts = 1 << 16;
constexpr int64_t kMostKernelFloats = 1 << 17;  // sums that stay in the second-level cache
constexpr int64_t kMostPatchFloats = 24 << 10;  // likewise
constexpr int64_t kVectorFilters = 8;

int64_t aligned(int64_t floats) {
  return (floats + 15) / 16 * 16;
}

DirectPlan direct_plan(const ConvolutionProblem& p, int64_t windows, bool pooled) {
  return {.kernel_rows = p.rows.size,
          .row_taps = p.columns.size * p.channels,
          .step = p.columns.stride * p.channels,
          .lower = p.rows.stride,
          .filters = p.filters,
          .windows = windows,
          .pooled = pooled};
}

// Rows of windows are shared among parts, one per thread.
int64_t part_count(int64_t rows, const DirectPlan& plan) {
  const int64_t products = rows * plan.windows * plan.taps() * plan.filters;
  return std::clamp<int64_t>(std::min(products / kGrainProducts, rows), 1, thread_count());
}

class DirectPooling final : public Kernel {
 public:
  DirectPooling(const ConvolutionPoolingProblem& problem, const ConvolutionLayouts& layouts,
                bool bias, bool index)
      : plan_(direct_plan(problem.convolution, problem.pooling.columns.output, true)),
        view_(problem.pooling.rows.output, plan_.windows, plan_.filters, layouts.y),
        rows_(problem.convolution, layouts.x, 2, 2 * plan_.windows),
        image_rows_(problem.pooling.rows.output),
        row_count_(problem.convolution.batch * image_rows_),
        parts_(part_count(row_count_, plan_)),
        bias_(bias),
        index_(index) {}

  int64_t scratch_bytes() const override { return parts_ * aligned(rows_.buffer_floats()) * 4; }

  void run(const KernelArguments& arguments) const override {
    auto* scratch = reinterpret_cast<float*>(arguments.scratch);
    parallel_for(parts_, 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        float* buffer = scratch + part * aligned(rows_.buffer_floats());
        const int64_t end = row_count_ * (part + 1) / parts_;
        for (int64_t i = row_count_ * part / parts_; i < end; ++i) compute(arguments, i, buffer);
      }
    });
  }

 private:
  void compute(const KernelArguments& arguments, int64_t i, float* buffer) const {
    const int64_t image = i / image_rows_, row = i % image_rows_;
    const auto rows = rows_.get(arguments.input(0), image, 2 * row, buffer);
    const int64_t to = image * view_.image_stride + row * view_.row_stride;
    direct_pooling_row(plan_, view_,
                       {.rows = rows.data,
                        .row_stride = rows.stride,
                        .kernel = arguments.input(1),
                        .bias = bias_ ? arguments.input(2) : nullptr,
                        .y = arguments.output(0) + to,
                        .index = index_ ? arguments.output<uint8_t>(1) + to : nullptr});
  }

  DirectPlan plan_;
  FilterView view_;
  ConvolutionRows rows_;
  int64_t image_rows_, row_count_;  // pooled rows of an image, of all
  int64_t parts_;
  bool bias_, index_;
};

// Each part sums over its rows; the parts are added in order.
class DirectKernelGradient final : public Kernel {
 public:
  DirectKernelGradient(const ConvolutionProblem& p, const ConvolutionLayouts& layouts,
                       int64_t window_rows, int64_t windows, bool pooled, bool bias)
      : plan_(direct_plan(p, windows, pooled)),
        view_(window_rows, windows, plan_.filters, layouts.y),
        rows_(p, layouts.x, pooled ? 2 : 1, pooled ? 2 * windows : windows),
        image_rows_(window_rows),
        row_count_(p.batch * window_rows),
        row_windows_(windows),
        parts_(part_count(row_count_, plan_)),
        bias_(bias) {
    const int64_t width = plan_.window_step() * plan_.kernel_rows * (pooled ? 4 : 1);
    plan_.windows = std::clamp<int64_t>(kMostPatchFloats / width, 1, windows);
    for (const int64_t floats : {plan_.taps() * plan_.filters, plan_.filters, rows_.buffer_floats(),
                                 direct_patch_floats(plan_), direct_window_floats(plan_)}) {
      offsets_[regions_++] = part_floats_;
      part_floats_ += aligned(floats);
    }
  }

  int64_t scratch_bytes() const override { return parts_ * part_floats_ * 4; }

  void run(const KernelArguments& arguments) const override {
    auto* scratch = reinterpret_cast<float*>(arguments.scratch);
    parallel_for(parts_, 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        float* own = scratch + part * part_floats_;
        std::fill_n(own, offsets_[2], 0.0f);
        const int64_t end = row_count_ * (part + 1) / parts_;
        for (int64_t i = row_count_ * part / parts_; i < end; ++i) add_row(arguments, i, own);
      }
    });
    add_parts(scratch, arguments);
  }

 private:
  void add_row(const KernelArguments& arguments, int64_t i, float* own) const {
    const int64_t image = i / image_rows_, row = i % image_rows_;
    const auto rows =
        rows_.get(arguments.input(0), image, plan_.pooled ? 2 * row : row, own + offsets_[2]);
    const int64_t start = image * view_.image_stride + row * view_.row_stride;
    for (int64_t window = 0; window < row_windows_; window += plan_.windows) {
      const int64_t from = start + window * view_.pixel_stride;
      direct_gradient_row(plan_, view_,
                          {.rows = rows.data + window * plan_.window_step(),
                           .row_stride = rows.stride,
                           .windows = std::min(plan_.windows, row_windows_ - window),
                           .dy = arguments.input(plan_.pooled ? 2 : 1) + from,
                           .index = plan_.pooled ? arguments.input<uint8_t>(1) + from : nullptr,
                           .patches = own + offsets_[3],
                           .window_gradients = own + offsets_[4],
                           .kernel = own,
                           .bias = own + offsets_[1]});
    }
  }

  // Puts the taps back into the order (kernel row, kernel column, channel).
  void add_parts(const float* scratch, const KernelArguments& arguments) const {
    const int64_t filters = plan_.filters;
    for (int64_t tap = 0; tap < plan_.taps(); ++tap) {
      const int64_t place = tap % plan_.kernel_rows * plan_.row_taps + tap / plan_.kernel_rows;
      add_parts(scratch + tap * filters, arguments.output(0) + place * filters);
    }
    if (bias_) add_parts(scratch + offsets_[1], arguments.output(1));
  }
  void add_parts(const float* first, float* to) const {
    for (int64_t f = 0; f < plan_.filters; ++f) {
      float sum = first[f];
      for (int64_t part = 1; part < parts_; ++part) sum += first[part * part_floats_ + f];
      to[f] = sum;
    }
  }

  DirectPlan plan_;
  FilterView view_;
  ConvolutionRows rows_;
  int64_t image_rows_, row_count_;  // rows of windows of an image, of all
  int64_t row_windows_;             // plan_.windows of them at a time
  int64_t parts_;
  bool bias_;
  // Of a part: sums of the kernel and of the bias, rows of x, patches, gradients of windows.
  int64_t offsets_[5] = {}, regions_ = 0, part_floats_ = 0;
};

}  // namespace

bool suits_direct_gradient(const ConvolutionProblem& p, const ConvolutionLayouts& layouts) {
  return p.groups == 1 && p.rows.dilation == 1 && p.columns.dilation == 1 && p.channels > 0 &&
         p.filters % kVectorFilters == 0 && p.filters > 0 &&
         layouts.y.channel_block % kVectorFilters == 0 &&
         p.rows.size * p.columns.size * p.channels * p.filters <= kMostKernelFloats;
}

bool suits_direct_pooling(const ConvolutionPoolingProblem& problem,
                          const ConvolutionLayouts& layouts) {
  const auto halves = [](const WindowAxis& axis) {
    return axis.size == 2 && axis.stride == 2 && 2 * axis.output <= axis.input;
  };
  return suits_direct_gradient(problem.convolution, layouts) && halves(problem.pooling.rows) &&
         halves(problem.pooling.columns);
}

KernelPtr make_direct_pooling(const ConvolutionPoolingProblem& problem,
                              const ConvolutionLayouts& layouts, bool bias, bool index) {
  return std::make_unique<DirectPooling>(problem, layouts, bias, index);
}

KernelPtr make_direct_pooling_kernel_gradient(const ConvolutionPoolingProblem& problem,
                                              const ConvolutionLayouts& layouts, bool bias) {
  return std::make_unique<DirectKernelGradient>(problem.convolution, layouts,
                                                problem.pooling.rows.output,
                                                problem.pooling.columns.output, true, bias);
}

KernelPtr make_direct_kernel_gradient(const ConvolutionProblem& problem,
                                      const ConvolutionLayouts& layouts, bool bias) {
  return std::make_unique<DirectKernelGradient>(problem, layouts, problem.rows.output,
                                                problem.columns.output, false, bias);
}

}  // namespace plimsoll::kernels
