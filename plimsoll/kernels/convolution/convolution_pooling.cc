#include "plimsoll/kernels/convolution/convolution_pooling.h"

#include <algorithm>
#include <array>
#include <utility>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution/convolution.h"
#include "plimsoll/kernels/convolution/convolution_direct.h"
#include "plimsoll/kernels/convolution/convolution_slices.h"
#include "plimsoll/kernels/convolution/onednn_convolution.h"
#include "plimsoll/kernels/pooling/pooling_plan.h"

namespace plimsoll::kernels {
namespace {

using Slice = ConvolutionSlices::Slice;
using Parts = ConvolutionSlices::Parts;

Shape between_shape(const ConvolutionProblem& p) {
  return {p.batch, p.rows.output, p.columns.output, p.filters};
}

int64_t between_floats(const ConvolutionProblem& slice) {
  return ConvolutionSlices::aligned(between_shape(slice).elements());
}

// What forward and backward share: a part's scratch begins with the tensor between convolution and
// pooling, of one slice.
class SlicedKernel : public Kernel {
 public:
  SlicedKernel(const ConvolutionPoolingProblem& problem, Layout y_layout, ConvolutionSlices slices)
      : slices_(std::move(slices)),
        plan_(problem.pooling, between_shape(slices_.problem()), y_layout) {}

  int64_t scratch_bytes() const override { return slices_.scratch_bytes(); }

 protected:
  void* x_slice(std::byte* x, const Slice& slice) const {
    return x + slice.number * slices_.x_floats() * int64_t{sizeof(float)};
  }
  // The first element of a slice of y, dy or the index.
  int64_t pooled_offset(const Slice& slice) const {
    return slice.number * plan_.planes * plan_.rows.output * plan_.output_row();
  }

  void pool(const Slice& slice, float* y, uint8_t* index) const {
    const int64_t to = pooled_offset(slice);
    parallel_for(plan_.planes * plan_.rows.output, 1, [&](int64_t begin, int64_t end) {
      max_pool_rows(plan_, slice.floats, y + to, index == nullptr ? nullptr : index + to, begin,
                    end);
    });
  }

  // The gradient of the tensor between.
  void expand(const Slice& slice, const uint8_t* index, const float* dy) const {
    const int64_t from = pooled_offset(slice);
    const int64_t unit = plan_.disjoint() ? 1 : plan_.rows.output;
    parallel_for(plan_.planes * plan_.rows.output / unit, 1, [&](int64_t begin, int64_t end) {
      max_pool_gradient_rows(plan_, index + from, dy + from, slice.floats, begin * unit,
                             end * unit);
    });
  }

  ConvolutionSlices slices_;
  PoolingPlan plan_;
};

class Forward final : public SlicedKernel {
 public:
  Forward(const ConvolutionPoolingProblem& problem, const ConvolutionLayouts& layouts, bool bias,
          bool index)
      : SlicedKernel(problem, layouts.y,
                     {problem.convolution, Parts::many, between_floats,
                      [&](const ConvolutionProblem& slice) {
                        return onednn_convolution(slice, layouts, bias);
                      }}),
        bias_(bias),
        index_(index) {}

  void run(const KernelArguments& arguments) const override {
    slices_.for_each(arguments.scratch, [&](const Slice& slice) {
      void* const x = x_slice(arguments.inputs[0], slice);
      std::array<void*, 4> pointers = {x, arguments.inputs[1], slice.floats};
      if (bias_) pointers = {x, arguments.inputs[1], arguments.inputs[2], slice.floats};
      slice.run(pointers.data());
      pool(slice, arguments.output(0), index_ ? arguments.output<uint8_t>(1) : nullptr);
    });
  }

 private:
  bool bias_, index_;
};

class InputGradient final : public SlicedKernel {
 public:
  InputGradient(const ConvolutionPoolingProblem& problem, const ConvolutionLayouts& layouts)
      : SlicedKernel(problem, layouts.y,
                     {problem.convolution, Parts::many, between_floats,
                      [&](const ConvolutionProblem& slice) {
                        return onednn_convolution_input_gradient(slice, layouts);
                      }}) {}

  void run(const KernelArguments& arguments) const override {
    slices_.for_each(arguments.scratch, [&](const Slice& slice) {
      expand(slice, arguments.input<uint8_t>(1), arguments.input(2));
      void* const pointers[] = {arguments.inputs[0], slice.floats,
                                x_slice(arguments.outputs[0], slice)};
      slice.run(pointers);
    });
  }
};

// A part's sums, and the summand of one slice, follow the tensor between. Slices are added in their
// order within a part, and then the parts in theirs.
class KernelGradient final : public SlicedKernel {
 public:
  KernelGradient(const ConvolutionPoolingProblem& problem, const ConvolutionLayouts& layouts,
                 bool bias)
      : SlicedKernel(problem, layouts.y,
                     {problem.convolution, parts_of(problem.convolution),
                      [&](const ConvolutionProblem& slice) {
                        return between_floats(slice) + 2 * sum_floats(slice);
                      },
                      [&](const ConvolutionProblem& slice) {
                        return onednn_convolution_kernel_gradient(slice, layouts, bias);
                      }}),
        bias_(bias) {}

  void run(const KernelArguments& arguments) const override {
    slices_.for_each(arguments.scratch, [&](const Slice& slice) {
      expand(slice, arguments.input<uint8_t>(1), arguments.input(2));
      float* sums = part_sums(arguments.scratch, slice.part);
      float* kernel = slice.is_first ? sums : sums + sum_floats(slices_.problem());
      void* const pointers[] = {x_slice(arguments.inputs[0], slice), slice.floats, kernel,
                                kernel + bias_offset()};
      slice.run(pointers);
      if (!slice.is_first) add(kernel, sum_floats(slices_.problem()), sums);
    });
    add_parts(arguments.scratch, 0, kernel_floats(slices_.problem()), arguments.output(0));
    if (bias_)
      add_parts(arguments.scratch, bias_offset(), slices_.problem().filters, arguments.output(1));
  }

 private:
  static int64_t kernel_floats(const ConvolutionProblem& p) {
    return p.rows.size * p.columns.size * p.channels / p.groups * p.filters;
  }
  // The kernel's, then the bias's.
  static int64_t sum_floats(const ConvolutionProblem& p) {
    return ConvolutionSlices::aligned(kernel_floats(p)) + ConvolutionSlices::aligned(p.filters);
  }
  static Parts parts_of(const ConvolutionProblem& p) {
    constexpr int64_t kMostFloats = 1 << 18;
    return kernel_floats(p) <= kMostFloats ? Parts::many : Parts::one;
  }
  int64_t bias_offset() const {
    return ConvolutionSlices::aligned(kernel_floats(slices_.problem()));
  }
  float* part_sums(std::byte* scratch, int64_t part) const {
    return slices_.part_floats(scratch, part) + between_floats(slices_.problem());
  }

  static void add(const float* from, int64_t count, float* to) {
    for (int64_t i = 0; i < count; ++i) to[i] += from[i];
  }
  void add_parts(std::byte* scratch, int64_t offset, int64_t count, float* to) const {
    std::copy_n(part_sums(scratch, 0) + offset, count, to);
    for (int64_t part = 1; part < slices_.parts(); ++part)
      add(part_sums(scratch, part) + offset, count, to);
  }

  bool bias_;
};

}  // namespace

KernelPtr make_convolution_pooling(const KernelRequest& request,
                                   const ConvolutionPoolingProblem& problem, bool bias,
                                   bool index) {
  const ConvolutionLayouts layouts{request.input_layouts[0], request.output_layouts[0]};
  const ConvolutionProblem& convolution = problem.convolution;
  if (convolution.batch == 0) return make_zero_fill(request);
  if (suits_direct_pooling(problem, layouts) && convolution.channels <= kFewChannels)
    return make_direct_pooling(problem, layouts, bias, index);
  return std::make_unique<Forward>(problem, layouts, bias, index);
}

KernelPtr make_convolution_pooling_input_gradient(const KernelRequest& request,
                                                  const ConvolutionPoolingProblem& problem) {
  const ConvolutionLayouts layouts{request.output_layouts[0], request.input_layouts[2]};
  if (problem.convolution.batch == 0) return make_zero_fill(request);
  return std::make_unique<InputGradient>(problem, layouts);
}

KernelPtr make_convolution_pooling_kernel_gradient(const KernelRequest& request,
                                                   const ConvolutionPoolingProblem& problem,
                                                   bool bias) {
  const ConvolutionLayouts layouts{request.input_layouts[0], request.input_layouts[2]};
  if (problem.convolution.batch == 0) return make_zero_fill(request);
  if (suits_direct_pooling(problem, layouts) && suits_direct_gradient(problem.convolution, layouts))
    return make_direct_pooling_kernel_gradient(problem, layouts, bias);
  return std::make_unique<KernelGradient>(problem, layouts, bias);
}

}  // namespace plimsoll::kernels
