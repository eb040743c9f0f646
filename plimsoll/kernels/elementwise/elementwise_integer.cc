#include "plimsoll/kernels/elementwise/elementwise_integer.h"

#include <string>
#include <type_traits>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/elementwise/elementwise_broadcast.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kTile = 256;
constexpr int64_t kGrain = 16384;

// Overflow wraps, which for signed types only unsigned arithmetic defines.
template <class T, class Compute>
T wrapping(T a, T b, Compute compute) {
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<T>(compute(static_cast<Unsigned>(a), static_cast<Unsigned>(b)));
}

// Calls visitor with the function as an object on T; returns false if there is no such function.
template <class T, class Visitor>
bool visit_function(Function function, Visitor&& visit) {
  const auto minus = [](T a, T b) { return wrapping(a, b, [](auto x, auto y) { return x - y; }); };
  const auto times = [](T a, T b) { return wrapping(a, b, [](auto x, auto y) { return x * y; }); };
  switch (function) {
    case Function::negative:
      return visit([=](T a, T, T) { return minus(T{0}, a); }), true;
    case Function::abs:
      return visit([=](T a, T, T) { return a < T{0} ? minus(T{0}, a) : a; }), true;
    case Function::sign:
      return visit([](T a, T, T) { return static_cast<T>((a > T{0}) - (a < T{0})); }), true;
    case Function::square:
      return visit([=](T a, T, T) { return times(a, a); }), true;
    case Function::add:
      return visit(
                 [](T a, T b, T) { return wrapping(a, b, [](auto x, auto y) { return x + y; }); }),
             true;
    case Function::subtract:
      return visit([=](T a, T b, T) { return minus(a, b); }), true;
    case Function::multiply:
      return visit([=](T a, T b, T) { return times(a, b); }), true;
    case Function::maximum:
      return visit([](T a, T b, T) { return a > b ? a : b; }), true;
    case Function::minimum:
      return visit([](T a, T b, T) { return a < b ? a : b; }), true;
    case Function::equal:
      return visit([](T a, T b, T) { return a == b; }), true;
    case Function::not_equal:
      return visit([](T a, T b, T) { return a != b; }), true;
    case Function::less:
      return visit([](T a, T b, T) { return a < b; }), true;
    case Function::less_equal:
      return visit([](T a, T b, T) { return a <= b; }), true;
    case Function::greater:
      return visit([](T a, T b, T) { return a > b; }), true;
    case Function::greater_equal:
      return visit([](T a, T b, T) { return a >= b; }), true;
    case Function::select:
      return visit([](T a, T b, T c) { return a != T{0} ? b : c; }), true;
    default:
      return false;
  }
}

template <class T>
void expand(const BroadcastView& view, const std::byte* input, DType dtype, int64_t first,
            int64_t count, T* to) {
  visit_dtype(dtype, [&]<class From>(From) {
    const From* from = reinterpret_cast<const From*>(input);
    for_each_run(view, first, count, [&](int64_t offset, int64_t run, int64_t stride) {
      for (int64_t i = 0; i < run; ++i) *to++ = static_cast<T>(from[offset + i * stride]);
    });
  });
}

template <class T>
class IntegerKernel final : public Kernel {
 public:
  IntegerKernel(Function function, const KernelRequest& request)
      : function_(function), elements_(request.outputs[0].shape.elements()) {
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      views_.push_back(BroadcastView::of(request.inputs[i], request.input_layouts[i],
                                         request.outputs[0], request.output_layouts[0]));
      dtypes_.push_back(request.inputs[i].dtype);
    }
  }

  void run(const KernelArguments& arguments) const override {
    visit_function<T>(function_, [&](auto compute) {
      using Result = decltype(compute(T{}, T{}, T{}));
      using Stored = std::conditional_t<std::is_same_v<Result, bool>, uint8_t, Result>;
      Stored* const output = arguments.output<Stored>(0);
      parallel_for(elements_, kGrain, [&](int64_t begin, int64_t end) {
        T tile[3][kTile] = {};
        for (int64_t first = begin; first < end; first += kTile) {
          const int64_t count = std::min(kTile, end - first);
          for (size_t k = 0; k < views_.size(); ++k)
            expand(views_[k], arguments.inputs[k], dtypes_[k], first, count, tile[k]);
          for (int64_t i = 0; i < count; ++i)
            output[first + i] = compute(tile[0][i], tile[1][i], tile[2][i]);
        }
      });
    });
  }

 private:
  Function function_;
  int64_t elements_;
  std::vector<BroadcastView> views_;
  std::vector<DType> dtypes_;
};

}  // namespace

bool has_integer_function(Function function) {
  return visit_function<int32_t>(function, [](auto) {});
}

KernelPtr make_integer_elementwise(Function function, const KernelRequest& request) {
  return visit_dtype(request.inputs.back().dtype, [&]<class T>(T) -> KernelPtr {
    if constexpr (std::is_integral_v<T>)
      return std::make_unique<IntegerKernel<T>>(function, request);
    else
      throw Error("elementwise: " + std::string(name_of(function)) + " of floats is a program");
  });
}

}  // namespace plimsoll::kernels
