#include "plimsoll/kernels/normalization/bias_add.h"

#include <algorithm>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainFloats = 1 << 14;

class BiasAdd final : public Kernel {
 public:
  explicit BiasAdd(const ChannelView& view) : view_(view) {}

  void run(const KernelArguments& arguments) const override {
    const float *x = arguments.input(0), *bias = arguments.input(1);
    float* y = arguments.output(0);
    const int64_t lanes = view_.lanes, pixels = view_.outer * view_.blocks * view_.inner;
    parallel_for(pixels, kGrainFloats / std::max<int64_t>(lanes, 1) + 1,
                 [=, this](int64_t begin, int64_t end) {
                   for (int64_t pixel = begin; pixel < end; ++pixel) {
                     const float* of_block = bias + pixel / view_.inner % view_.blocks * lanes;
                     for (int64_t lane = 0; lane < lanes; ++lane)
                       y[pixel * lanes + lane] = x[pixel * lanes + lane] + of_block[lane];
                   }
                 });
  }

 private:
  ChannelView view_;
};

}  // namespace

KernelPtr make_bias_add(const KernelRequest& request) {
  return std::make_unique<BiasAdd>(
      ChannelView::of(request.inputs[0].shape, request.input_layouts[0]));
}

}  // namespace plimsoll::kernels
