#include "plimsoll/kernels/normalization/batch_norm.h"

#include <cmath>

#include "plimsoll/kernels/normalization/channel_affine.h"
#include "plimsoll/kernels/normalization/channel_sums.h"

namespace plimsoll::kernels {
namespace {

// Scratch after that of the sums: `doubles` and then `floats` rows of one number per channel.
class ChannelScratch {
 public:
  ChannelScratch(const ChannelSums& sums, int64_t channels, int64_t doubles, int64_t floats)
      : start_(sums.scratch_bytes()), channels_(channels), doubles_(doubles), floats_(floats) {}

  int64_t bytes() const { return start_ + channels_ * (doubles_ * 8 + floats_ * 4); }
  double* doubles(std::byte* scratch, int64_t row) const {
    return reinterpret_cast<double*>(scratch + start_) + row * channels_;
  }
  float* floats(std::byte* scratch, int64_t row) const {
    return reinterpret_cast<float*>(doubles(scratch, doubles_)) + row * channels_;
  }

 private:
  int64_t start_, channels_, doubles_, floats_;
};

// The parts that all these kernels share.
class ChannelKernel : public Kernel {
 public:
  ChannelKernel(const KernelRequest& request, int64_t doubles, int64_t floats)
      : pieces_(request.inputs[0].shape, request.input_layouts[0]),
        sums_(request.inputs[0].shape, request.input_layouts[0]),
        scratch_(sums_, pieces_.view.channels(), doubles, floats) {}

  int64_t scratch_bytes() const override { return scratch_.bytes(); }

 protected:
  int64_t channels() const { return pieces_.view.channels(); }
  double positions() const { return static_cast<double>(pieces_.positions()); }

  ChannelPieces pieces_;
  ChannelSums sums_;
  ChannelScratch scratch_;
};

// The variance is taken of differences from the mean, in a second pass: no digits cancel.
void find_moments(const ChannelSums& sums, const float* x, int64_t channels, double positions,
                  float* mean, float* variance, double* totals, std::byte* scratch) {
  sums.sum(x, totals, scratch);
  for (int64_t i = 0; i < channels; ++i) mean[i] = static_cast<float>(totals[i] / positions);
  sums.squared_differences(x, mean, totals, scratch);
  for (int64_t i = 0; i < channels; ++i) variance[i] = static_cast<float>(totals[i] / positions);
}

void find_scale(const float* gamma, const float* variance, double epsilon, int64_t channels,
                float* scale) {
  for (int64_t i = 0; i < channels; ++i)
    scale[i] = static_cast<float>(static_cast<double>(gamma[i]) /
                                  std::sqrt(static_cast<double>(variance[i]) + epsilon));
}

class BatchNorm final : public ChannelKernel {
 public:
  BatchNorm(const KernelRequest& request, double epsilon)
      : ChannelKernel(request, 1, 1), epsilon_(epsilon) {}

  void run(const KernelArguments& arguments) const override {
    const float* x = arguments.input(0);
    float *mean = arguments.output(1), *variance = arguments.output(2);
    float* scale = scratch_.floats(arguments.scratch, 0);
    find_moments(sums_, x, channels(), positions(), mean, variance,
                 scratch_.doubles(arguments.scratch, 0), arguments.scratch);
    find_scale(arguments.input(1), variance, epsilon_, channels(), scale);
    apply_affine(pieces_, {mean, scale, arguments.input(2)}, x, arguments.output(0));
  }

 private:
  double epsilon_;
};

class BatchMoments final : public ChannelKernel {
 public:
  explicit BatchMoments(const KernelRequest& request) : ChannelKernel(request, 1, 0) {}

  void run(const KernelArguments& arguments) const override {
    find_moments(sums_, arguments.input(0), channels(), positions(), arguments.output(0),
                 arguments.output(1), scratch_.doubles(arguments.scratch, 0), arguments.scratch);
  }
};

class BatchApply final : public ChannelKernel {
 public:
  BatchApply(const KernelRequest& request, double epsilon, bool relu)
      : ChannelKernel(request, 0, 1), epsilon_(epsilon), relu_(relu) {}

  void run(const KernelArguments& arguments) const override {
    float* scale = scratch_.floats(arguments.scratch, 0);
    find_scale(arguments.input(1), arguments.input(4), epsilon_, channels(), scale);
    apply_affine(pieces_, {arguments.input(3), scale, arguments.input(2), relu_},
                 arguments.input(0), arguments.output(0));
  }

 private:
  double epsilon_;
  bool relu_;
};

class BatchNormGradient final : public ChannelKernel {
 public:
  BatchNormGradient(const KernelRequest& request, double epsilon)
      : ChannelKernel(request, 2, 3), epsilon_(epsilon) {}

  // With d = x - mean and r = 1 / sqrt(variance + epsilon):
  // dx = gamma * r * (dy - mean(dy) - d * r^2 * mean(dy * d)).
  void run(const KernelArguments& arguments) const override {
    const float *x = arguments.input(0), *gamma = arguments.input(1), *mean = arguments.input(2);
    const float *variance = arguments.input(3), *dy = arguments.input(4);
    float *dgamma = arguments.output(1), *dbeta = arguments.output(2);
    double* sums = scratch_.doubles(arguments.scratch, 0);
    double* products = scratch_.doubles(arguments.scratch, 1);
    float* dy_mean = scratch_.floats(arguments.scratch, 0);
    float* scale = scratch_.floats(arguments.scratch, 1);
    float* slope = scratch_.floats(arguments.scratch, 2);
    sums_.products(dy, x, mean, sums, products, arguments.scratch);
    for (int64_t i = 0; i < channels(); ++i) {
      const double r = 1 / std::sqrt(static_cast<double>(variance[i]) + epsilon_);
      const double gain = static_cast<double>(gamma[i]) * r;
      dgamma[i] = static_cast<float>(products[i] * r);
      dbeta[i] = static_cast<float>(sums[i]);
      dy_mean[i] = static_cast<float>(sums[i] / positions());
      scale[i] = static_cast<float>(gain);
      slope[i] = static_cast<float>(-gain * r * r * products[i] / positions());
    }
    apply_combination(pieces_, {dy_mean, scale, mean, slope}, dy, x, arguments.output(0));
  }

 private:
  double epsilon_;
};

class ScaleShift final : public ChannelKernel {
 public:
  explicit ScaleShift(const KernelRequest& request) : ChannelKernel(request, 0, 1) {}

  void run(const KernelArguments& arguments) const override {
    float* zeros = scratch_.floats(arguments.scratch, 0);
    std::fill_n(zeros, channels(), 0.0f);
    apply_affine(pieces_, {zeros, arguments.input(1), arguments.input(2)}, arguments.input(0),
                 arguments.output(0));
  }
};

class ScaleShiftGradient final : public ChannelKernel {
 public:
  explicit ScaleShiftGradient(const KernelRequest& request)
      : ChannelKernel(request, 2, 1),
        dx_(request.outputs[0].shape == request.inputs[0].shape),
        weights_(request.outputs[1].shape == request.inputs[1].shape) {}

  void run(const KernelArguments& arguments) const override {
    const float* dy = arguments.input(2);
    float* zeros = scratch_.floats(arguments.scratch, 0);
    std::fill_n(zeros, channels(), 0.0f);
    if (weights_) {
      double* sums = scratch_.doubles(arguments.scratch, 0);
      double* products = scratch_.doubles(arguments.scratch, 1);
      sums_.products(dy, arguments.input(0), zeros, sums, products, arguments.scratch);
      std::transform(products, products + channels(), arguments.output(1), to_float);
      std::transform(sums, sums + channels(), arguments.output(2), to_float);
    }
    if (dx_) apply_affine(pieces_, {zeros, arguments.input(1), zeros}, dy, arguments.output(0));
  }

 private:
  static float to_float(double x) { return static_cast<float>(x); }

  bool dx_, weights_;  // which outputs are wanted
};

}  // namespace

KernelPtr make_batch_norm(const KernelRequest& request, double epsilon) {
  return std::make_unique<BatchNorm>(request, epsilon);
}

KernelPtr make_batch_moments(const KernelRequest& request) {
  return std::make_unique<BatchMoments>(request);
}

KernelPtr make_batch_apply(const KernelRequest& request, double epsilon, bool relu) {
  return std::make_unique<BatchApply>(request, epsilon, relu);
}

KernelPtr make_batch_norm_gradient(const KernelRequest& request, double epsilon) {
  return std::make_unique<BatchNormGradient>(request, epsilon);
}

KernelPtr make_scale_shift(const KernelRequest& request) {
  return std::make_unique<ScaleShift>(request);
}

KernelPtr make_scale_shift_gradient(const KernelRequest& request) {
  return std::make_unique<ScaleShiftGradient>(request);
}

}  // namespace plimsoll::kernels
