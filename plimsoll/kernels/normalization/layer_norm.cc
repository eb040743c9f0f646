#include "plimsoll/kernels/normalization/layer_norm.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/normalization/layer_norm.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/row_vectors-inl.h"

#ifndef PLIMSOLL_KERNELS_LAYER_NORM_ONCE
#define PLIMSOLL_KERNELS_LAYER_NORM_ONCE
namespace plimsoll::kernels {

// Some rows of one tensor.
struct NormRows {
  int64_t size, begin, end;
  double epsilon;
  bool centered;
};

}  // namespace plimsoll::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// sum(term(position, count)) over a row, where term gives zeros in lanes from `count` on. Chunks
// are summed in double, so that long rows lose nothing.
template <class Term>
HWY_INLINE double row_total(int64_t size, Term&& term) {
  constexpr int64_t kChunk = 2048;
  const RowTag d;
  double total = 0;
  for (int64_t start = 0; start < size; start += kChunk) {
    const int64_t end = std::min(start + kChunk, size);
    RowVector even = hn::Zero(d), odd = hn::Zero(d);
    int64_t i = start;
    for (; i + 2 * kRowLanes <= end; i += 2 * kRowLanes) {
      even = hn::Add(even, term(i, kRowLanes));
      odd = hn::Add(odd, term(i + kRowLanes, kRowLanes));
    }
    for (; i < end; i += kRowLanes) even = hn::Add(even, term(i, std::min(kRowLanes, end - i)));
    total += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd))));
  }
  return total;
}

struct Moments {
  float mean, inverse_deviation;
};

HWY_INLINE Moments moments_of(const float* x, const NormRows& rows) {
  const RowTag d;
  const auto size = static_cast<double>(rows.size);
  float mean = 0;
  if (rows.centered)
    mean = static_cast<float>(
        row_total(rows.size, [&](int64_t i, int64_t count) { return load_lanes(x + i, count); }) /
        size);
  const RowVector centre = hn::Set(d, mean);
  const double squares = row_total(rows.size, [&](int64_t i, int64_t count) {
    const RowVector apart = hn::Sub(load_lanes(x + i, count, mean), centre);
    return hn::Mul(apart, apart);
  });
  return {mean, static_cast<float>(1 / std::sqrt(squares / size + rows.epsilon))};
}

void norm_rows(const NormRows& rows, const float* x, const float* gamma, const float* beta,
               float* y) {
  const RowTag d;
  for (int64_t r = rows.begin; r < rows.end; ++r) {
    const float* row = x + r * rows.size;
    float* to = y + r * rows.size;
    const Moments moments = moments_of(row, rows);
    const RowVector scale = hn::Set(d, moments.inverse_deviation);
    const RowVector centre = hn::Set(d, moments.mean);
    for_each_vector(row, rows.size, 0, [&](RowVector v, int64_t at, int64_t count) {
      const RowVector normal = hn::Mul(hn::Sub(v, centre), scale);
      const RowVector g = load_lanes(gamma + at, count), b = load_lanes(beta + at, count);
      store_lanes(hn::MulAdd(normal, g, b), to + at, count);
    });
  }
}

// dx may be null, or the same memory as x or dy. dgamma and dbeta are added to, unless null.
void norm_gradient_rows(const NormRows& rows, const float* x, const float* gamma, const float* dy,
                        float* dx, float* dgamma, float* dbeta) {
  const RowTag d;
  const auto size = static_cast<double>(rows.size);
  for (int64_t r = rows.begin; r < rows.end; ++r) {
    const float* row = x + r * rows.size;
    const float* from = dy + r * rows.size;
    const Moments moments = moments_of(row, rows);
    const RowVector scale = hn::Set(d, moments.inverse_deviation);
    const RowVector centre = hn::Set(d, moments.mean);
    const auto normal = [&](int64_t i, int64_t count) {
      return hn::Mul(hn::Sub(load_lanes(row + i, count, moments.mean), centre), scale);
    };
    const auto inner = [&](int64_t i, int64_t count) {
      return hn::Mul(load_lanes(from + i, count), load_lanes(gamma + i, count));
    };
    const double total = rows.centered && dx != nullptr ? row_total(rows.size, inner) : 0;
    const double product = dx == nullptr ? 0 : row_total(rows.size, [&](int64_t i, int64_t count) {
      return hn::Mul(inner(i, count), normal(i, count));
    });
    const RowVector mean = hn::Set(d, static_cast<float>(total / size));
    const RowVector slope = hn::Set(d, static_cast<float>(product / size));
    for (int64_t i = 0; i < rows.size; i += kRowLanes) {
      const int64_t count = std::min(kRowLanes, rows.size - i);
      const RowVector v = normal(i, count), g = load_lanes(from + i, count);
      if (dgamma != nullptr) {
        store_lanes(hn::MulAdd(g, v, load_lanes(dgamma + i, count)), dgamma + i, count);
        store_lanes(hn::Add(g, load_lanes(dbeta + i, count)), dbeta + i, count);
      }
      if (dx == nullptr) continue;
      const RowVector rest = hn::NegMulAdd(v, slope, hn::Sub(inner(i, count), mean));
      store_lanes(hn::Mul(scale, rest), dx + r * rows.size + i, count);
    }
  }
}

// to = the sum of `parts` rows of `size`, [begin, end) of it.
void add_parts(const float* from, int64_t parts, int64_t size, int64_t begin, int64_t end,
               float* to) {
  for (int64_t i = begin; i < end; i += kRowLanes) {
    const int64_t count = std::min(kRowLanes, end - i);
    RowVector sum = load_lanes(from + i, count);
    for (int64_t part = 1; part < parts; ++part)
      sum = hn::Add(sum, load_lanes(from + part * size + i, count));
    store_lanes(sum, to + i, count);
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

HWY_EXPORT(norm_rows);
HWY_EXPORT(norm_gradient_rows);
HWY_EXPORT(add_parts);

constexpr int64_t kGrain = 16 * 1024;  // elements that are worth a thread

struct Sizes {
  int64_t size, count;

  Sizes(const Shape& x, int axes)
      : size(x.elements(x.rank() - axes, x.rank())), count(size == 0 ? 0 : x.elements() / size) {}
};

class LayerNorm final : public Kernel {
 public:
  LayerNorm(const Shape& x, const LayerNormOptions& options)
      : sizes_(x, options.axes), options_(options) {}

  void run(const KernelArguments& arguments) const override {
    const auto norm = HWY_DYNAMIC_DISPATCH(norm_rows);
    const float *x = arguments.input(0), *gamma = arguments.input(1), *beta = arguments.input(2);
    float* y = arguments.output(0);
    if (sizes_.size == 0) return;
    parallel_for(sizes_.count, kGrain / sizes_.size + 1, [=, this](int64_t begin, int64_t end) {
      norm({sizes_.size, begin, end, options_.epsilon, options_.centered}, x, gamma, beta, y);
    });
  }

 private:
  Sizes sizes_;
  LayerNormOptions options_;
};

// Each part of the rows sums its own dgamma and dbeta; these are added in order.
class LayerNormGradient final : public Kernel {
 public:
  LayerNormGradient(const KernelRequest& request, const LayerNormOptions& options)
      : sizes_(request.inputs[0].shape, options.axes),
        options_(options),
        of_x_(request.outputs[0].shape == request.inputs[0].shape),
        of_gamma_(request.outputs[1].shape == request.inputs[1].shape),
        of_beta_(request.outputs[2].shape == request.inputs[1].shape) {
    const int64_t worth = sizes_.size * sizes_.count / kGrain;
    parts_ = std::clamp<int64_t>(std::min(worth, sizes_.count), 1, thread_count());
  }

  int64_t scratch_bytes() const override {
    return sums_up() ? parts_ * 2 * stride() * static_cast<int64_t>(sizeof(float)) : 0;
  }

  void run(const KernelArguments& arguments) const override {
    const auto add = HWY_DYNAMIC_DISPATCH(add_parts);
    auto* sums = reinterpret_cast<float*>(arguments.scratch);
    parallel_for(parts_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) run_part(arguments, sums, part);
    });
    parallel_for(sizes_.size, kGrain, [&](int64_t begin, int64_t end) {
      if (of_gamma_) add(sums, parts_, 2 * stride(), begin, end, arguments.output(1));
      if (of_beta_) add(sums + stride(), parts_, 2 * stride(), begin, end, arguments.output(2));
    });
  }

 private:
  bool sums_up() const { return of_gamma_ || of_beta_; }
  // Of a row in scratch: no two threads write to one cache line.
  int64_t stride() const { return (sizes_.size + 15) / 16 * 16; }

  void run_part(const KernelArguments& arguments, float* sums, int64_t part) const {
    float* dgamma = sums_up() ? sums + part * 2 * stride() : nullptr;
    if (sums_up()) std::fill_n(dgamma, 2 * stride(), 0.0f);
    const NormRows rows{sizes_.size, sizes_.count * part / parts_,
                        sizes_.count * (part + 1) / parts_, options_.epsilon, options_.centered};
    HWY_DYNAMIC_DISPATCH(norm_gradient_rows)
    (rows, arguments.input(0), arguments.input(1), arguments.input(2),
     of_x_ ? arguments.output(0) : nullptr, dgamma, sums_up() ? dgamma + stride() : nullptr);
  }

  Sizes sizes_;
  LayerNormOptions options_;
  bool of_x_, of_gamma_, of_beta_;
  int64_t parts_ = 1;
};

}  // namespace

KernelPtr make_layer_norm(const KernelRequest& request, const LayerNormOptions& options) {
  return std::make_unique<LayerNorm>(request.inputs[0].shape, options);
}

KernelPtr make_layer_norm_gradient(const KernelRequest& request, const LayerNormOptions& options) {
  return std::make_unique<LayerNormGradient>(request, options);
}

}  // namespace plimsoll::kernels
#endif
