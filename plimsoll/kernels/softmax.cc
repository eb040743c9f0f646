#include "plimsoll/kernels/softmax.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/softmax.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/softmax_row-inl.h"

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

// Columns of a matrix, `step` floats from row to row, as many side by side as a vector has lanes.
struct Columns {
  int64_t size, step, count;

  HWY_INLINE RowVector load(const float* from, int64_t r) const {
    const float* row = from + r * step;
    return load_lanes(row, count);
  }
  HWY_INLINE void store(RowVector v, float* to, int64_t r) const {
    store_lanes(v, to + r * step, count);
  }
};

void forward_columns(const Columns& columns, bool logarithm, const float* x, float* y) {
  const RowTag d;
  RowVector largest = columns.load(x, 0), sum = hn::Zero(d);
  for (int64_t r = 1; r < columns.size; ++r) largest = hn::Max(largest, columns.load(x, r));
  for (int64_t r = 0; r < columns.size; ++r)
    sum = hn::Add(sum, vector_exp(d, hn::Sub(columns.load(x, r), largest)));
  const RowVector log_sum = vector_log(d, sum);
  const RowVector scale = hn::Div(hn::Set(d, 1), sum);
  for (int64_t r = 0; r < columns.size; ++r) {
    const RowVector shifted = hn::Sub(columns.load(x, r), largest);
    columns.store(logarithm ? hn::Sub(shifted, log_sum) : hn::Mul(vector_exp(d, shifted), scale), y,
                  r);
  }
}

void gradient_columns(const Columns& columns, bool logarithm, const float* y, const float* dy,
                      float* dx) {
  const RowTag d;
  RowVector sum = hn::Zero(d);
  for (int64_t r = 0; r < columns.size; ++r) {
    const RowVector g = columns.load(dy, r);
    sum = hn::Add(sum, logarithm ? g : hn::Mul(g, columns.load(y, r)));
  }
  for (int64_t r = 0; r < columns.size; ++r) {
    const RowVector g = columns.load(dy, r), v = columns.load(y, r);
    columns.store(logarithm ? hn::NegMulAdd(vector_exp(d, v), sum, g) : hn::Mul(v, hn::Sub(g, sum)),
                  dx, r);
  }
}

void some_columns(SoftmaxKind kind, const float* a, const float* b, int64_t size, int64_t step,
                  int64_t count, float* to) {
  for (int64_t i = 0; i < count; i += kRowLanes) {
    const Columns columns{size, step, std::min(kRowLanes, count - i)};
    switch (kind) {
      case SoftmaxKind::softmax:
      case SoftmaxKind::log_softmax:
        forward_columns(columns, kind == SoftmaxKind::log_softmax, a + i, to + i);
        break;
      default:
        gradient_columns(columns, kind == SoftmaxKind::log_softmax_gradient, a + i, b + i, to + i);
    }
  }
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
    constexpr int64_t kGrain = 4096;  // exponentials that are worth a thread
    constexpr int64_t kColumns = 32;
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
    parallel_for(outer_ * blocks, kGrain / (size_ * kColumns) + 1,
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
