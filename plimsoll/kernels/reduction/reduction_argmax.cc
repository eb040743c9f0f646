#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/reduction/reduction.h"
#include "plimsoll/kernels/reduction/reduction_pass.h"

namespace plimsoll::kernels {
namespace {

template <class T>
class Argmax final : public Kernel {
 public:
  Argmax(const Shape& shape, int axis)
      : outer_(shape.elements(0, axis)),
        size_(shape[axis]),
        inner_(shape.elements(axis + 1, shape.rank())) {}

  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrain = 16 * 1024;
    const T* x = arguments.input<T>(0);
    int32_t* y = arguments.output<int32_t>(0);
    parallel_for(outer_ * inner_, kGrain / size_ + 1, [=, this](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        y[i] = first_maximum(x + i / inner_ * size_ * inner_ + i % inner_);
    });
  }

 private:
  int32_t first_maximum(const T* x) const {
    if constexpr (sizeof(T) > 1)
      if (inner_ == 1) {
        const T largest = reduce_row(Reduction::max, x, size_);
        const T* found = largest == largest
                             ? std::find(x, x + size_, largest)
                             : std::find_if(x, x + size_, [](T value) { return value != value; });
        return static_cast<int32_t>(found - x);
      }
    int64_t best = 0;
    T largest = x[0];
    for (int64_t i = 1; i < size_; ++i) {
      const T value = x[i * inner_];
      // A NaN is better than all but a NaN.
      if (value > largest || (value != value && largest == largest)) {
        largest = value;
        best = i;
      }
    }
    return static_cast<int32_t>(best);
  }

  int64_t outer_, size_, inner_;
};

}  // namespace

KernelPtr make_argmax(const KernelRequest& request, int axis) {
  return visit_dtype(request.inputs[0].dtype, [&](auto zero) -> KernelPtr {
    return std::make_unique<Argmax<decltype(zero)>>(request.inputs[0].shape, axis);
  });
}

}  // namespace plimsoll::kernels
