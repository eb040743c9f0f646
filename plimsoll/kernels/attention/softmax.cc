#include "plimsoll/kernels/attention/softmax.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/attention/softmax.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/attention/softmax_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

void softmax_row(const float* x, int64_t size, float* y) {
  const RowTag d;
  const float sum = row_exponentials(
      x, size, row_maximum(x, size),
      [&](RowVector v, int64_t at, int64_t count) { store_lanes(v, y + at, count); });
  const RowVector scale = hn::Set(d, 1 / sum);
  for_each_vector(y, size, 0, [&](RowVector v, int64_t at, int64_t count) {
    store_lanes(hn::Mul(v, scale), y + at, count);
  });
}

void log_softmax_row(const float* x, int64_t size, float* y) {
  const RowTag d;
  const float maximum = row_maximum(x, size);
  const float sum = row_exponentials(x, size, maximum, [](RowVector, int64_t, int64_t) {});
  const RowVector shift = hn::Set(d, maximum), log_sum = hn::Set(d, std::log(sum));
  for_each_vector(x, size, 0, [&](RowVector v, int64_t at, int64_t count) {
    store_lanes(hn::Sub(hn::Sub(v, shift), log_sum), y + at, count);
  });
}

// dx = y * (dy - sum(y * dy))
void softmax_gradient_row(const float* y, const float* dy, int64_t size, float* dx) {
  const RowTag d;
  RowVector products = hn::Zero(d);
  const auto load_y = [&](int64_t at, int64_t count) { return load_lanes(y + at, count); };
  for_each_vector(dy, size, 0, [&](RowVector v, int64_t at, int64_t count) {
    products = hn::MulAdd(v, load_y(at, count), products);
  });
  const RowVector dot = hn::SumOfLanes(d, products);
  for_each_vector(dy, size, 0, [&](RowVector v, int64_t at, int64_t count) {
    store_lanes(hn::Mul(load_y(at, count), hn::Sub(v, dot)), dx + at, count);
  });
}

// dx = dy - exp(y) * sum(dy)
void log_softmax_gradient_row(const float* y, const float* dy, int64_t size, float* dx) {
  const RowTag d;
  RowVector sums = hn::Zero(d);
  for_each_vector(dy, size, 0, [&](RowVector v, int64_t, int64_t) { sums = hn::Add(sums, v); });
  const RowVector sum = hn::SumOfLanes(d, sums);
  for_each_vector(dy, size, 0, [&](RowVector v, int64_t at, int64_t count) {
    const RowVector log = load_lanes(y + at, count);
    store_lanes(hn::NegMulAdd(vector_exp(d, log), sum, v), dx + at, count);
  });
}

void one_row(SoftmaxKind kind, const float* a, const float* b, int64_t size, float* to) {
  switch (kind) {
    case SoftmaxKind::softmax:
      return softmax_row(a, size, to);
    case SoftmaxKind::log_softmax:
      return log_softmax_row(a, size, to);
    case SoftmaxKind::softmax_gradient:
      return softmax_gradient_row(a, b, size, to);
    case SoftmaxKind::log_softmax_gradient:
      return log_softmax_gradient_row(a, b, size, to);
  }
}

// Some columns of a matrix whose rows are `step` floats apart. They are walked row by row, with one
// running number per column.
struct Columns {
  static constexpr int64_t kMost = 256;

  int64_t size, step, count;

  // each(offset in the row, offset in the matrix, lanes)
  template <class Each>
  HWY_INLINE void walk(Each&& each) const {
    for (int64_t r = 0; r < size; ++r)
      for (int64_t i = 0; i < count; i += kRowLanes)
        each(i, r * step + i, std::min(kRowLanes, count - i));
  }
};

void forward_columns(const Columns& columns, bool logarithm, const float* x, float* y) {
  const RowTag d;
  HWY_ALIGN float largest[Columns::kMost], sums[Columns::kMost];
  std::fill(largest, largest + Columns::kMost, -std::numeric_limits<float>::infinity());
  std::fill(sums, sums + Columns::kMost, 0.0f);
  columns.walk([&](int64_t i, int64_t at, int64_t lanes) {
    hn::Store(hn::Max(hn::Load(d, largest + i), load_lanes(x + at, lanes)), d, largest + i);
  });
  columns.walk([&](int64_t i, int64_t at, int64_t lanes) {
    const RowVector shifted = hn::Sub(load_lanes(x + at, lanes), hn::Load(d, largest + i));
    const RowVector term = vector_exp(d, shifted);
    hn::Store(hn::Add(hn::Load(d, sums + i), term), d, sums + i);
    store_lanes(logarithm ? shifted : term, y + at, lanes);
  });
  for (int64_t i = 0; i < columns.count; i += kRowLanes) {
    const RowVector sum = hn::Load(d, sums + i);
    hn::Store(logarithm ? vector_log(d, sum) : hn::Div(hn::Set(d, 1), sum), d, sums + i);
  }
  columns.walk([&](int64_t i, int64_t at, int64_t lanes) {
    const RowVector v = load_lanes(y + at, lanes), sum = hn::Load(d, sums + i);
    store_lanes(logarithm ? hn::Sub(v, sum) : hn::Mul(v, sum), y + at, lanes);
  });
}

void gradient_columns(const Columns& columns, bool logarithm, const float* y, const float* dy,
                      float* dx) {
  const RowTag d;
  HWY_ALIGN float sums[Columns::kMost] = {};
  columns.walk([&](int64_t i, int64_t at, int64_t lanes) {
    const RowVector g = load_lanes(dy + at, lanes), sum = hn::Load(d, sums + i);
    const RowVector term = logarithm ? g : hn::Mul(g, load_lanes(y + at, lanes));
    hn::Store(hn::Add(sum, term), d, sums + i);
  });
  columns.walk([&](int64_t i, int64_t at, int64_t lanes) {
    const RowVector g = load_lanes(dy + at, lanes), v = load_lanes(y + at, lanes);
    const RowVector sum = hn::Load(d, sums + i);
    store_lanes(logarithm ? hn::NegMulAdd(vector_exp(d, v), sum, g) : hn::Mul(v, hn::Sub(g, sum)),
                dx + at, lanes);
  });
}

void some_columns(SoftmaxKind kind, const float* a, const float* b, int64_t size, int64_t step,
                  int64_t count, float* to) {
  const Columns columns{size, step, count};
  if (kind == SoftmaxKind::softmax || kind == SoftmaxKind::log_softmax)
    forward_columns(columns, kind == SoftmaxKind::log_softmax, a, to);
  else
    gradient_columns(columns, kind == SoftmaxKind::log_softmax_gradient, a, b, to);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

HWY_EXPORT(one_row);
HWY_EXPORT(some_columns);

class Softmax final : public Kernel {
 public:
  Softmax(SoftmaxKind kind, const Shape& shape, int axis)
      : kind_(kind),
        outer_(shape.elements(0, axis)),
        size_(shape[axis]),
        inner_(shape.elements(axis + 1, shape.rank())) {}

  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrain = 4096;   // exponentials that are worth a thread
    constexpr int64_t kColumns = 256;  // that one call takes at most
    const bool backward =
        kind_ == SoftmaxKind::softmax_gradient || kind_ == SoftmaxKind::log_softmax_gradient;
    const float* a = arguments.input(0);
    const float* b = backward ? arguments.input(1) : a;
    float* to = arguments.output(0);
    if (outer_ * size_ * inner_ == 0) return;
    if (inner_ == 1) {
      const auto row = HWY_DYNAMIC_DISPATCH(one_row);
      parallel_for(outer_, kGrain / size_ + 1, [=, this](int64_t begin, int64_t end) {
        for (int64_t i = begin * size_; i < end * size_; i += size_)
          row(kind_, a + i, b + i, size_, to + i);
      });
      return;
    }
    const auto columns = HWY_DYNAMIC_DISPATCH(some_columns);
    const int64_t blocks = (inner_ + kColumns - 1) / kColumns;
    parallel_for(outer_ * blocks, kGrain / (size_ * std::min(inner_, kColumns)) + 1,
                 [=, this](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) {
                     const int64_t column = i % blocks * kColumns;
                     const int64_t at = i / blocks * size_ * inner_ + column;
                     columns(kind_, a + at, b + at, size_, inner_,
                             std::min(kColumns, inner_ - column), to + at);
                   }
                 });
  }

 private:
  SoftmaxKind kind_;
  int64_t outer_, size_, inner_;
};

}  // namespace

KernelPtr make_softmax(const KernelRequest& request, SoftmaxKind kind, int axis) {
  return std::make_unique<Softmax>(kind, request.outputs[0].shape, axis);
}

}  // namespace plimsoll::kernels
#endif
