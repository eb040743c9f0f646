// Depthwise convolutions: through the op, which picks oneDNN or own loops, and the own loops alone
// in every layout.
#include "plimsoll/kernels/convolution/depthwise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/threads.h"
#include "plimsoll/ops/convolution/convolution_fusion.h"
#include "plimsoll/ops/convolution/convolution_gradients.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

struct Case {
  Shape x;
  std::array<int64_t, 2> window, strides = {1, 1}, dilation_rate = {1, 1};
  Padding padding = Padding::same;

  kernels::ConvolutionProblem problem() const {
    return convolution_problem(x, {window[0], window[1], 1, x[3]}, options());
  }
  ConvolutionOptions options() const { return {strides, padding, dilation_rate, x[3]}; }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int64_t channels : {8, 20, 3})
    for (const int64_t stride : {1, 2, 3})
      for (const int64_t size : {1, 2, 3, 5})
        all.push_back({{2, 7, 9, channels}, {size, size}, {stride, stride}});
  all.push_back({{2, 9, 8, 16}, {3, 5}, {2, 1}, {1, 1}, Padding::valid});
  all.push_back({{2, 9, 8, 24}, {3, 2}, {1, 1}, {2, 3}});
  all.push_back({{2, 9, 8, 5}, {3, 3}, {2, 2}, {2, 2}, Padding::valid});
  all.push_back({{1, 1, 30, 8}, {1, 7}});
  all.push_back({{3, 2, 2, 8}, {5, 5}});     // larger than the image
  all.push_back({{1, 70, 90, 17}, {3, 3}});  // many bands
  all.push_back({{1, 70, 90, 8}, {5, 5}, {2, 2}});
  return all;
}

using Floats = std::vector<float>;

Floats some_values(int64_t count, int64_t salt) {
  Floats values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>((i * 7919 + salt) % 1009) / 1009.0f - 0.5f);
  return values;
}

Floats laid_out(const Floats& logical, const Shape& shape, Layout layout) {
  Floats stored(logical.size());
  for (size_t i = 0; i < logical.size(); ++i)
    stored[static_cast<size_t>(offset_of(static_cast<int64_t>(i), shape, layout))] = logical[i];
  return stored;
}

// Runs a kernel on logical values; the first output in logical order.
Floats run(const Kernel& kernel, std::vector<Floats> inputs, int64_t size, int64_t size1) {
  Floats y(static_cast<size_t>(size)), extra(static_cast<size_t>(size1));
  Floats scratch(static_cast<size_t>(kernel.scratch_bytes() / 4), std::nanf(""));
  std::vector<std::byte*> in,
      out = {reinterpret_cast<std::byte*>(y.data()), reinterpret_cast<std::byte*>(extra.data())};
  for (Floats& values : inputs) in.push_back(reinterpret_cast<std::byte*>(values.data()));
  kernel.run({in.data(), out.data(), reinterpret_cast<std::byte*>(scratch.data())});
  y.insert(y.end(), extra.begin(), extra.end());
  return y;
}

// What the three kernels make of a case, each as a double loop would.
class OwnLoops {
 public:
  OwnLoops(const Case& c, Layout layout)
      : problem_(c.problem()),
        layout_(layout),
        x_(some_values(x_shape(problem_).elements(), 1)),
        kernel_(some_values(kernel_shape(problem_).elements(), 2)),
        y_(some_values(y_shape(problem_).elements(), 3)),
        bias_(some_values(problem_.channels, 4)) {}

  void check() {
    const Spec x{{}, x_shape(problem_)}, kernel{{}, kernel_shape(problem_)};
    const Spec y{{}, y_shape(problem_)}, bias{{}, {problem_.channels}};
    const Layout plain;
    const Specs forward_in = {x, kernel, bias}, input_in = {kernel, y}, kernel_in = {x, y};
    const Specs forward_out = {y}, input_out = {x}, kernel_out = {kernel, bias};
    const std::vector<Layout> l3 = {layout_, plain, plain}, ly = {plain, layout_},
                              lxy = {layout_, layout_}, l1 = {layout_}, l0 = {plain, plain};
    const Floats stored_x = laid_out(x_, x.shape, layout_);
    const Floats stored_y = laid_out(y_, y.shape, layout_);
    compare("forward",
            run(*kernels::make_depthwise({forward_in, forward_out, l3, l1}, problem_, true, false),
                {stored_x, kernel_, bias_}, y.shape.elements(), 0),
            y.shape, layout_, 0);
    compare("input gradient",
            run(*kernels::make_depthwise_input_gradient({input_in, input_out, ly, l1}, problem_),
                {kernel_, stored_y}, x.shape.elements(), 0),
            x.shape, layout_, 1);
    compare("kernel gradient",
            run(*kernels::make_depthwise_kernel_gradient({kernel_in, kernel_out, lxy, l0}, problem_,
                                                         true),
                {stored_x, stored_y}, kernel.shape.elements(), problem_.channels),
            kernel.shape, plain, 2);
  }

 private:
  static double at(const Floats& values, int64_t i) { return values[static_cast<size_t>(i)]; }

  std::vector<double> expected(int which, int64_t size) const {
    std::vector<double> sums(static_cast<size_t>(size), 0.0);
    for_each_product(problem_, [&](int64_t x, int64_t k, int64_t y) {
      const int64_t to = which == 0 ? y : which == 1 ? x : k;
      sums[static_cast<size_t>(to)] += which == 0   ? at(x_, x) * at(kernel_, k)
                                       : which == 1 ? at(kernel_, k) * at(y_, y)
                                                    : at(x_, x) * at(y_, y);
    });
    for (int64_t i = 0; which == 0 && i < size; ++i)
      sums[static_cast<size_t>(i)] += at(bias_, i % problem_.channels);
    if (which != 2) return sums;
    sums.resize(sums.size() + static_cast<size_t>(problem_.channels), 0.0);
    for (size_t i = 0; i < y_.size(); ++i)
      sums[static_cast<size_t>(size) + i % static_cast<size_t>(problem_.channels)] += y_[i];
    return sums;
  }

  void compare(const char* what, const Floats& found, const Shape& shape, Layout layout,
               int which) const {
    const std::vector<double> wanted = expected(which, shape.elements());
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const auto logical = static_cast<int64_t>(i);
      const int64_t place =
          logical < shape.elements() ? offset_of(logical, shape, layout) : logical;
      ASSERT_NEAR(found[static_cast<size_t>(place)], wanted[i], 2e-4) << what << " at " << i;
    }
  }

  kernels::ConvolutionProblem problem_;
  Layout layout_;
  Floats x_, kernel_, y_, bias_;
};

TEST(Depthwise, OwnLoopsAgreeWithThePlainSumInEveryLayout) {
  for (const Case& c : cases())
    for (const int32_t block : {0, 8, 16}) {
      if (block > 0 && c.x[3] % block != 0) continue;
      SCOPED_TRACE(c.x.to_string() + " window " + std::to_string(c.window[0]) + " stride " +
                   std::to_string(c.strides[0]) + " block " + std::to_string(block));
      OwnLoops(c, Layout::blocked(block)).check();
    }
}

TEST(Depthwise, ResultsDoNotDependOnTheNumberOfThreads) {
  const Case c{{8, 30, 30, 24}, {3, 3}};
  const Specs in = {{{}, c.x}, {{}, c.x}}, out = {{{}, {3, 3, 1, 24}}, {{}, {24}}};
  const std::vector<Layout> blocked(2, Layout::blocked(8)), plain(2);
  const Floats x = some_values(c.x.elements(), 1), dy = some_values(c.x.elements(), 2);
  const int before = thread_count();
  std::vector<Floats> found;
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    found.push_back(
        run(*kernels::make_depthwise_kernel_gradient({in, out, blocked, plain}, c.problem(), true),
            {x, dy}, 9 * 24, 24));
  }
  set_thread_count(before);
  EXPECT_EQ(found[0], found[1]);
}

TEST(Depthwise, AgreesWithItsReferenceThroughTheOps) {
  for (const Case& c : {Case{{2, 6, 5, 8}, {3, 3}}, Case{{2, 5, 6, 12}, {3, 3}, {2, 2}},
                        Case{{2, 6, 5, 8}, {5, 5}, {2, 2}}, Case{{2, 6, 5, 5}, {2, 3}}}) {
    const Spec x{{}, c.x}, kernel{{}, {c.window[0], c.window[1], 1, c.x[3]}}, bias{{}, {c.x[3]}};
    const Spec y{{}, y_shape(c.problem())};
    testing::check_op({.title = "depthwise",
                       .op = conv2d_op({.options = c.options(), .bias = true, .relu = true}),
                       .inputs = {x, kernel, bias},
                       .distinct_gap = 0,
                       .check_gradient = false,
                       .reduction_length = 25});
    testing::check_op({.title = "depthwise",
                       .op = conv2d_op({.options = c.options(), .bias = true}),
                       .inputs = {x, kernel, bias},
                       .reduction_length = 25});
    testing::check_op(
        {.title = "depthwise input gradient",
         .op = testing::recorded_op(
             [&](const Tensors& in) {
               return convolution_input_gradient<2>(in[0], in[1], {c.x[1], c.x[2]}, c.options());
             },
             {kernel, y}),
         .inputs = {kernel, y},
         .reduction_length = 25});
    testing::check_op({.title = "depthwise kernel gradient",
                       .op = testing::recorded_op(
                           [&](const Tensors& in) {
                             return convolution_kernel_gradient<2>(in[0], in[1], c.window,
                                                                   c.options(), true)
                                 .kernel;
                           },
                           {x, y}),
                       .inputs = {x, y},
                       .reduction_length = 60});
  }
}

}  // namespace
}  // namespace plimsoll
