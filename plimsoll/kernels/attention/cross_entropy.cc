#include "plimsoll/kernels/attention/cross_entropy.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/attention/cross_entropy.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/attention/softmax_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

float sparse_row(const float* x, int64_t classes, int64_t label) {
  const float maximum = row_maximum(x, classes);
  const float sum = row_exponentials(x, classes, maximum, [](RowVector, int64_t, int64_t) {});
  return std::log(sum) - (x[label] - maximum);
}

// dx = (softmax(x) - one_hot(label)) * gradient; dx may be x.
void sparse_gradient_row(const float* x, int64_t classes, int64_t label, float gradient,
                         float* dx) {
  const RowTag d;
  const float sum = row_exponentials(
      x, classes, row_maximum(x, classes),
      [&](RowVector v, int64_t at, int64_t count) { store_lanes(v, dx + at, count); });
  const float scale = gradient / sum;
  for_each_vector(dx, classes, 0, [&](RowVector v, int64_t at, int64_t count) {
    store_lanes(hn::Mul(v, hn::Set(d, scale)), dx + at, count);
  });
  dx[label] -= gradient;
}

// sum(t * (log(sum(exp(x))) - x))
float dense_row(const float* x, const float* t, int64_t classes) {
  const RowTag d;
  const float maximum = row_maximum(x, classes);
  const float sum = row_exponentials(x, classes, maximum, [](RowVector, int64_t, int64_t) {});
  const RowVector top = hn::Set(d, maximum), log_sum = hn::Set(d, std::log(sum));
  RowVector losses = hn::Zero(d);
  for_each_vector(x, classes, 0, [&](RowVector v, int64_t at, int64_t count) {
    const RowVector surprise = hn::Sub(log_sum, hn::Sub(v, top));
    losses = hn::MulAdd(load_lanes(t + at, count), surprise, losses);
  });
  return hn::GetLane(hn::SumOfLanes(d, losses));
}

// dx = (softmax(x) * sum(t) - t) * gradient; dx may be x or t.
void dense_gradient_row(const float* x, const float* t, int64_t classes, float gradient,
                        float* dx) {
  const RowTag d;
  const float maximum = row_maximum(x, classes);
  const float sum = row_exponentials(x, classes, maximum, [](RowVector, int64_t, int64_t) {});
  RowVector targets = hn::Zero(d);
  for_each_vector(t, classes, 0,
                  [&](RowVector v, int64_t, int64_t) { targets = hn::Add(targets, v); });
  const RowVector scale = hn::Div(hn::SumOfLanes(d, targets), hn::Set(d, sum));
  const RowVector top = hn::Set(d, maximum), g = hn::Set(d, gradient);
  for_each_vector(x, classes, 0, [&](RowVector v, int64_t at, int64_t count) {
    const RowVector term = hn::Mul(vector_exp(d, hn::Sub(v, top)), scale);
    store_lanes(hn::Mul(hn::Sub(term, load_lanes(t + at, count)), g), dx + at, count);
  });
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

HWY_EXPORT(sparse_row);
HWY_EXPORT(sparse_gradient_row);
HWY_EXPORT(dense_row);
HWY_EXPORT(dense_gradient_row);

struct Rows {
  int64_t count = 0, classes = 0;

  explicit Rows(const Shape& logits)
      : count(logits.elements(0, logits.rank() - 1)), classes(logits.back()) {}

  template <class Body>
  void for_each(Body&& body) const {
    constexpr int64_t kGrain = 4096;  // exponentials that are worth a thread
    parallel_for(count, kGrain / (classes + 1) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) body(row, row * classes);
    });
  }
};

template <class Label>
class SparseCrossEntropy final : public Kernel {
 public:
  SparseCrossEntropy(const Shape& logits, bool backward) : rows_(logits), backward_(backward) {}

  void run(const KernelArguments& arguments) const override {
    const float* x = arguments.input(0);
    const Label* labels = arguments.input<Label>(1);
    float* to = arguments.output(0);
    refuse_bad_labels(labels);
    if (!backward_) {
      const auto loss = HWY_DYNAMIC_DISPATCH(sparse_row);
      rows_.for_each([&](int64_t row, int64_t at) {
        to[row] = loss(x + at, rows_.classes, static_cast<int64_t>(labels[row]));
      });
      return;
    }
    const auto gradient = HWY_DYNAMIC_DISPATCH(sparse_gradient_row);
    const float* dy = arguments.input(2);
    rows_.for_each([&](int64_t row, int64_t at) {
      gradient(x + at, rows_.classes, static_cast<int64_t>(labels[row]), dy[row], to + at);
    });
  }

 private:
  void refuse_bad_labels(const Label* labels) const {
    for (int64_t row = 0; row < rows_.count; ++row) {
      if (labels[row] >= 0 && labels[row] < rows_.classes) continue;
      throw InvalidArgument(
          fmt::format("sparse_softmax_cross_entropy: the label of row {} is {}, but {} classes "
                      "have the labels 0 to {}",
                      row, labels[row], rows_.classes, rows_.classes - 1));
    }
  }

  Rows rows_;
  bool backward_;
};

class CrossEntropy final : public Kernel {
 public:
  CrossEntropy(const Shape& logits, bool backward) : rows_(logits), backward_(backward) {}

  void run(const KernelArguments& arguments) const override {
    const float* x = arguments.input(0);
    const float* targets = arguments.input(1);
    float* to = arguments.output(0);
    if (!backward_) {
      const auto loss = HWY_DYNAMIC_DISPATCH(dense_row);
      rows_.for_each(
          [&](int64_t row, int64_t at) { to[row] = loss(x + at, targets + at, rows_.classes); });
      return;
    }
    const auto gradient = HWY_DYNAMIC_DISPATCH(dense_gradient_row);
    const float* dy = arguments.input(2);
    rows_.for_each([&](int64_t row, int64_t at) {
      gradient(x + at, targets + at, rows_.classes, dy[row], to + at);
    });
  }

 private:
  Rows rows_;
  bool backward_;
};

KernelPtr sparse(const KernelRequest& request, bool backward) {
  const Shape& logits = request.inputs[0].shape;
  if (request.inputs[1].dtype == DType::int64)
    return std::make_unique<SparseCrossEntropy<int64_t>>(logits, backward);
  return std::make_unique<SparseCrossEntropy<int32_t>>(logits, backward);
}

}  // namespace

KernelPtr make_sparse_cross_entropy(const KernelRequest& request) {
  return sparse(request, false);
}
KernelPtr make_sparse_cross_entropy_gradient(const KernelRequest& request) {
  return sparse(request, true);
}
KernelPtr make_cross_entropy(const KernelRequest& request) {
  return std::make_unique<CrossEntropy>(request.inputs[0].shape, false);
}
KernelPtr make_cross_entropy_gradient(const KernelRequest& request) {
  return std::make_unique<CrossEntropy>(request.inputs[0].shape, true);
}

}  // namespace plimsoll::kernels
#endif
