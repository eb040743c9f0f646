#include "plimsoll/kernels/images/affine_transform.h"

#include <algorithm>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainFloats = 1 << 12;

// What both directions have in common.
class AffineKernel : public Kernel {
 public:
  AffineKernel(const KernelRequest& request, const AffineProblem& problem)
      : problem_(problem),
        batch_(request.inputs[0].shape[0]),
        channels_(request.inputs[0].shape[3]),
        shares_transform_(request.inputs[1].shape[0] == 1) {}

 protected:
  const float* transform(const KernelArguments& arguments, int64_t image) const {
    return arguments.input(1) + (shares_transform_ ? 0 : image * 8);
  }
  int64_t input_floats() const { return problem_.input[0] * problem_.input[1] * channels_; }
  int64_t output_row() const { return problem_.output[1] * channels_; }

  AffineProblem problem_;
  int64_t batch_, channels_;
  bool shares_transform_;
};

class AffineTransform final : public AffineKernel {
 public:
  using AffineKernel::AffineKernel;
  void run(const KernelArguments& arguments) const override {
    const int64_t rows = problem_.output[0];
    parallel_for(batch_ * rows, kGrainFloats / std::max<int64_t>(output_row(), 1) + 1,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i)
                     write_row(arguments.input(0) + i / rows * input_floats(),
                               transform(arguments, i / rows), i % rows,
                               arguments.output(0) + i * output_row());
                 });
  }

 private:
  void write_row(const float* image, const float* t, int64_t row, float* y) const {
    for (int64_t column = 0; column < problem_.output[1]; ++column, y += channels_) {
      const AffineSample sample = affine_sample(problem_, t, row, column);
      std::fill_n(y, channels_, 0.0f);
      for (int i = 0; i < sample.count; ++i) {
        const auto [pixel, weight] = sample.parts[static_cast<size_t>(i)];
        const float* from = image + pixel * channels_;
        for (int64_t c = 0; c < channels_; ++c)
          y[c] += weight * (pixel < 0 ? problem_.fill_value : from[c]);
      }
    }
  }
};

// Adds the pixels of dy to the pixels that they came from; a thread takes whole images.
class AffineTransformGradient final : public AffineKernel {
 public:
  using AffineKernel::AffineKernel;
  void run(const KernelArguments& arguments) const override {
    const int64_t image_floats = problem_.output[0] * output_row();
    parallel_for(batch_, kGrainFloats / std::max<int64_t>(image_floats, 1) + 1,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i)
                     add_image(arguments.input(0) + i * image_floats, transform(arguments, i),
                               arguments.output(0) + i * input_floats());
                 });
  }

 private:
  void add_image(const float* dy, const float* t, float* dx) const {
    std::fill_n(dx, input_floats(), 0.0f);
    for (int64_t row = 0; row < problem_.output[0]; ++row)
      for (int64_t column = 0; column < problem_.output[1]; ++column, dy += channels_) {
        const AffineSample sample = affine_sample(problem_, t, row, column);
        for (int i = 0; i < sample.count; ++i) {
          const auto [pixel, weight] = sample.parts[static_cast<size_t>(i)];
          if (pixel < 0) continue;
          float* to = dx + pixel * channels_;
          for (int64_t c = 0; c < channels_; ++c) to[c] += weight * dy[c];
        }
      }
  }
};

}  // namespace

KernelPtr make_affine_transform(const KernelRequest& request, const AffineProblem& problem) {
  return std::make_unique<AffineTransform>(request, problem);
}

KernelPtr make_affine_transform_gradient(const KernelRequest& request,
                                         const AffineProblem& problem) {
  return std::make_unique<AffineTransformGradient>(request, problem);
}

}  // namespace plimsoll::kernels
