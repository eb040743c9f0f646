#include "plimsoll/kernels/update/adaptive_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

// Each column is added up by one thread, in double, so that squares do not overflow and the result
// does not depend on the number of threads.
class ClipUnits final : public Kernel {
 public:
  ClipUnits(const Shape& shape, const UnitClip& clip)
      : units_(clip_units_of(shape)),
        rows_(units_ == 0 ? 0 : shape.elements() / units_),
        clip_(clip) {}

  int64_t scratch_bytes() const override {
    return 2 * units_ * static_cast<int64_t>(sizeof(double));
  }

  void run(const KernelArguments& arguments) const override {
    const float *gradient = arguments.input(0), *weight = arguments.input(1);
    float* clipped = arguments.output(0);
    auto* factors = reinterpret_cast<double*>(arguments.scratch);
    double* weights = factors + units_;
    const int64_t grain = 16 * 1024 / std::max<int64_t>(rows_, 1) + 1;
    parallel_for(units_, grain, [=, this](int64_t begin, int64_t end) {
      add_squares(gradient, begin, end, factors);
      add_squares(weight, begin, end, weights);
      for (int64_t unit = begin; unit < end; ++unit)
        factors[unit] = factor(std::sqrt(factors[unit]), std::sqrt(weights[unit]));
      for (int64_t row = 0; row < rows_; ++row)
        for (int64_t unit = begin; unit < end; ++unit) {
          const int64_t i = row * units_ + unit;
          clipped[i] = static_cast<float>(gradient[i] * factors[unit]);
        }
    });
  }

 private:
  void add_squares(const float* numbers, int64_t begin, int64_t end, double* sums) const {
    std::fill(sums + begin, sums + end, 0.0);
    for (int64_t row = 0; row < rows_; ++row)
      for (int64_t unit = begin; unit < end; ++unit) {
        const double number = numbers[row * units_ + unit];
        sums[unit] += number * number;
      }
  }

  double factor(double gradient_norm, double weight_norm) const {
    const double norm = gradient_norm * clip_.scale;
    const double limit = clip_.ratio * std::max(weight_norm, kLeastWeightNorm);
    return norm > limit ? limit / norm : 1;
  }

  int64_t units_, rows_;
  UnitClip clip_;
};

class ClipByHistory final : public Kernel {
 public:
  ClipByHistory(int64_t size, double percentile) : size_(size), percentile_(percentile) {}

  int64_t scratch_bytes() const override { return size_ * static_cast<int64_t>(sizeof(float)); }

  void run(const KernelArguments& arguments) const override {
    const float* history = arguments.input(0);
    float* new_history = arguments.output(0);
    const int64_t count = std::max<int64_t>(*arguments.input<int64_t>(1), 0);
    // An infinite norm would stay in the history as a limit that nothing exceeds.
    const float norm = std::min(*arguments.input(2), std::numeric_limits<float>::max());
    if (new_history != history) std::copy_n(history, size_, new_history);
    new_history[count % size_] = norm;
    const int64_t known = std::min(count + 1, size_);
    auto* sorted = reinterpret_cast<float*>(arguments.scratch);
    std::copy_n(new_history, known, sorted);
    const float limit = percentile_of(sorted, known, percentile_);
    *arguments.output(1) = norm > limit ? limit / norm : 1.0f;
  }

 private:
  int64_t size_;
  double percentile_;
};

}  // namespace

int64_t clip_units_of(const Shape& shape) {
  int long_axes = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) long_axes += shape[axis] > 1;
  return long_axes < 2 ? std::min<int64_t>(shape.elements(), 1) : shape[shape.rank() - 1];
}

float percentile_of(float* numbers, int64_t count, double percentile) {
  const double place = percentile / 100 * static_cast<double>(count - 1);
  const auto below = static_cast<int64_t>(place);
  std::nth_element(numbers, numbers + below, numbers + count);
  const float low = numbers[below];
  if (below + 1 >= count) return low;
  const float high = *std::min_element(numbers + below + 1, numbers + count);
  return static_cast<float>(low + (static_cast<double>(high) - low) *
                                      (place - static_cast<double>(below)));
}

KernelPtr make_clip_units(const KernelRequest& request, const UnitClip& clip) {
  return std::make_unique<ClipUnits>(request.outputs[0].shape, clip);
}

KernelPtr make_clip_by_history(const KernelRequest& request, double percentile) {
  return std::make_unique<ClipByHistory>(request.outputs[0].shape.elements(), percentile);
}

}  // namespace plimsoll::kernels
