#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/movement/movement.h"

namespace plimsoll::kernels {
namespace {

template <class Index>
class OneHot final : public Kernel {
 public:
  OneHot(int64_t rows, int64_t depth) : rows_(rows), depth_(depth) {}

  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrain = 32 * 1024;
    const Index* indices = arguments.input<Index>(0);
    float* y = arguments.output(0);
    parallel_for(rows_, kGrain / depth_ + 1, [=, this](int64_t begin, int64_t end) {
      std::fill(y + begin * depth_, y + end * depth_, 0.0f);
      for (int64_t i = begin; i < end; ++i) {
        const auto index = static_cast<int64_t>(indices[i]);
        if (0 <= index && index < depth_) y[i * depth_ + index] = 1;
      }
    });
  }

 private:
  int64_t rows_, depth_;
};

}  // namespace

KernelPtr make_one_hot(const KernelRequest& request) {
  const int64_t rows = request.inputs[0].shape.elements(), depth = request.outputs[0].shape.back();
  return visit_dtype(request.inputs[0].dtype, [&](auto zero) -> KernelPtr {
    return std::make_unique<OneHot<decltype(zero)>>(rows, depth);
  });
}

}  // namespace plimsoll::kernels
