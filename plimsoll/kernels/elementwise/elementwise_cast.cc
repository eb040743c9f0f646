#include "plimsoll/kernels/elementwise/elementwise_cast.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrain = 32768;

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // The largest To may not be a float; the power of two above it is.
    constexpr From kLow = static_cast<From>(std::numeric_limits<To>::min());
    constexpr To kHalf = std::numeric_limits<To>::max() / 2 + 1;
    constexpr From kEnd = static_cast<From>(kHalf) * 2;
    if (std::isnan(value)) return 0;
    if (value < kLow) return std::numeric_limits<To>::min();
    if (value >= kEnd) return std::numeric_limits<To>::max();
  }
  return static_cast<To>(value);
}

template <class From, class To>
class Cast final : public Kernel {
 public:
  Cast(int64_t elements, bool to_boolean) : elements_(elements), to_boolean_(to_boolean) {}

  void run(const KernelArguments& arguments) const override {
    const From* const from = arguments.input<From>(0);
    To* const to = arguments.output<To>(0);
    parallel_for(elements_, kGrain, [&](int64_t begin, int64_t end) {
      if (to_boolean_)
        for (int64_t i = begin; i < end; ++i) to[i] = static_cast<To>(from[i] != From{0});
      else
        for (int64_t i = begin; i < end; ++i) to[i] = convert<To>(from[i]);
    });
  }

 private:
  int64_t elements_;
  bool to_boolean_;
};

}  // namespace

KernelPtr make_cast(const KernelRequest& request) {
  const Spec &from = request.inputs[0], &to = request.outputs[0];
  return visit_dtype(from.dtype, [&]<class From>(From) {
    return visit_dtype(to.dtype, [&]<class To>(To) -> KernelPtr {
      return std::make_unique<Cast<From, To>>(to.shape.elements(), to.dtype == DType::boolean);
    });
  });
}

}  // namespace plimsoll::kernels
