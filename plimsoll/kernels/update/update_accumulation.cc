#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/update/update.h"

namespace plimsoll::kernels {
namespace {

class AccumulateGradient final : public Kernel {
 public:
  AccumulateGradient(int64_t elements, double scale)
      : elements_(elements), scale_(static_cast<float>(scale)) {}

  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrain = 16 * 1024;
    const float *sum = arguments.input(0), *gradient = arguments.input(1);
    float *new_sum = arguments.output(0), *total = arguments.output(1);
    const bool is_due = *arguments.input(2) != 0;
    parallel_for(elements_, kGrain, [=, this](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const float value = sum[i] + gradient[i] * scale_;
        total[i] = value;
        new_sum[i] = is_due ? 0 : value;
      }
    });
  }

 private:
  int64_t elements_;
  float scale_;
};

class WholeQuotient final : public Kernel {
 public:
  WholeQuotient(int64_t elements, int64_t divisor) : elements_(elements), divisor_(divisor) {}

  void run(const KernelArguments& arguments) const override {
    const int64_t* from = arguments.input<int64_t>(0);
    int64_t* to = arguments.output<int64_t>(0);
    for (int64_t i = 0; i < elements_; ++i) to[i] = from[i] / divisor_;
  }

 private:
  int64_t elements_, divisor_;
};

}  // namespace

KernelPtr make_accumulate_gradient(const KernelRequest& request, double scale) {
  return std::make_unique<AccumulateGradient>(request.outputs[0].shape.elements(), scale);
}

KernelPtr make_whole_quotient(const KernelRequest& request, int64_t divisor) {
  return std::make_unique<WholeQuotient>(request.outputs[0].shape.elements(), divisor);
}

}  // namespace plimsoll::kernels
